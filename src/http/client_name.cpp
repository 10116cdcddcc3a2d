#include "http/client_name.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include <openssl/x509v3.h>

namespace http {
namespace {

struct FreeNames {
  void operator()(GENERAL_NAMES* names) const noexcept { GENERAL_NAMES_free(names); }
};

std::string text_of(const ASN1_STRING* text) {
  return {std::bit_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::vector<std::string> names_of(const X509& certificate) {
  std::vector<std::string> names;
  const X509_NAME* const subject = X509_get_subject_name(&certificate);
  for (int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1); at >= 0;
       at = X509_NAME_get_index_by_NID(subject, NID_commonName, at)) {
    names.push_back(text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
  }
  const std::unique_ptr<GENERAL_NAMES, FreeNames> others(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(others.get()); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(others.get(), i);
    if (name->type == GEN_DNS) names.push_back(text_of(name->d.dNSName));
  }
  return names;
}

}  // namespace

std::string why_refused(const SSL& session, std::span<const std::string> allowed) {
  const X509* const certificate = SSL_get0_peer_certificate(&session);
  if (certificate == nullptr) return "there is no client certificate";
  const std::vector<std::string> names = names_of(*certificate);
  const bool found = std::ranges::any_of(
      names, [allowed](const std::string& name) { return std::ranges::count(allowed, name) > 0; });
  if (found) return {};
  return names.empty() ? "the client certificate has no name"
                       : "the client certificate is that of " + names.front() +
                             ", which is not allowed to ask";
}

}  // namespace http
