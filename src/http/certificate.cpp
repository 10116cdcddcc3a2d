#include "http/certificate.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <optional>
#include <utility>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "http/pem.h"

namespace http {
namespace {

using Chain = CertificateList;
using Path = std::filesystem::path;

constexpr const char* kAdvice =
    "; the directory needs tls.crt and tls.key, as a Secret of type kubernetes.io/tls has them";

// Without this, OpenSSL would ask for a passphrase at the terminal.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

std::expected<OpensslPtr<EVP_PKEY>, std::string> read_key(const Path& path,
                                                          const std::string& content) {
  ERR_clear_error();
  bool asked = false;
  OpensslPtr<EVP_PKEY> key(
      PEM_read_bio_PrivateKey(memory_bio(content).get(), nullptr, no_passphrase, &asked));
  const std::string reason = take_openssl_error();
  if (key) return key;
  if (asked) {
    return std::unexpected(path.string() +
                           ": the key has a passphrase; write it without one (openssl pkey)");
  }
  return std::unexpected(path.string() + ": there is no private key in it (" + reason +
                         "); write PEM that begins with -----BEGIN PRIVATE KEY-----");
}

std::string subject(const X509* certificate) {
  const OpensslPtr<BIO> bio(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(bio.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "without subject";
}

// "certificate 2 (CN=...)"; counted from 1 as people do.
std::string name_of(const Chain& chain, std::size_t index) {
  return "certificate " + std::to_string(index + 1) + " (" + subject(chain[index].get()) + ")";
}

std::optional<std::string> check_order(const Chain& chain) {
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    X509* const issuer = chain[i + 1].get();
    const bool issued = X509_check_issued(issuer, chain[i].get()) == X509_V_OK &&
                        X509_verify(chain[i].get(), X509_get0_pubkey(issuer)) == 1;
    ERR_clear_error();
    if (!issued) {
      return name_of(chain, i + 1) + " did not issue " + name_of(chain, i) +
             "; write the serving certificate first and behind each one its issuer";
    }
  }
  return std::nullopt;
}

bool has_subject_alt_name(X509* certificate) {
  auto* const names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  const bool has = names != nullptr && sk_GENERAL_NAME_num(names) > 0;
  GENERAL_NAMES_free(names);
  ERR_clear_error();
  return has;
}

std::optional<Certificate::Time> to_time(const ASN1_TIME* time) {
  std::tm broken_down{};
  if (ASN1_TIME_to_tm(time, &broken_down) != 1) return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&broken_down));
}

std::string print(const ASN1_TIME* time) {
  const OpensslPtr<BIO> bio(BIO_new(BIO_s_mem()));
  ASN1_TIME_print_ex(bio.get(), time, ASN1_DTFLGS_ISO8601);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(std::max(size, 0L))};
}

// Moves `not_after` down to the earliest end of the chain.
std::optional<std::string> check_dates(const Chain& chain, Certificate::Time now,
                                       Certificate::Time& not_after) {
  not_after = Certificate::Time::max();
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const auto begin = to_time(X509_get0_notBefore(chain[i].get()));
    const auto end = to_time(X509_get0_notAfter(chain[i].get()));
    if (!begin || !end) return name_of(chain, i) + " has malformed dates; issue it again";
    if (now < *begin) {
      return name_of(chain, i) + " is not valid before " +
             print(X509_get0_notBefore(chain[i].get())) + "; set the clock, or issue it again";
    }
    if (now > *end) {
      return name_of(chain, i) + " expired at " + print(X509_get0_notAfter(chain[i].get())) +
             "; issue a new one";
    }
    not_after = std::min(not_after, *end);
  }
  return std::nullopt;
}

}  // namespace

std::vector<X509*> Certificate::issuers() const {
  std::vector<X509*> result;
  std::ranges::transform(chain_.begin() + 1, chain_.end(), std::back_inserter(result),
                         [](const auto& certificate) { return certificate.get(); });
  return result;
}

std::expected<Certificate, std::string> Certificate::load(const Path& directory, Time now) {
  const Path certificate_path = directory / kCertificateFile;
  const Path key_path = directory / kKeyFile;
  auto certificate_text = read_pem_file(certificate_path);
  if (!certificate_text) return std::unexpected(certificate_text.error() + kAdvice);
  auto key_text = read_pem_file(key_path);
  if (!key_text) return std::unexpected(key_text.error() + kAdvice);
  auto chain = read_certificates(certificate_path, *certificate_text);
  if (!chain) return std::unexpected(std::move(chain.error()));
  auto key = read_key(key_path, *key_text);
  if (!key) return std::unexpected(std::move(key.error()));

  Certificate result;
  result.chain_ = std::move(*chain);
  result.key_ = std::move(*key);
  const auto wrong = [&certificate_path](const std::string& what) {
    return std::unexpected(certificate_path.string() + ": " + what);
  };
  X509* const leaf = result.leaf();
  const bool pair = X509_check_private_key(leaf, result.key()) == 1;
  ERR_clear_error();
  if (!pair) {
    return std::unexpected(key_path.string() + ": the key does not belong to " +
                           name_of(result.chain_, 0) + " of " + certificate_path.string() +
                           "; store both files of one pair");
  }
  if (const auto error = check_order(result.chain_)) return wrong(*error);
  if (!has_subject_alt_name(leaf)) {
    return wrong(name_of(result.chain_, 0) +
                 " has no subjectAltName, and API servers look at nothing else; issue it for the "
                 "service's DNS names");
  }
  if (X509_check_purpose(leaf, X509_PURPOSE_SSL_SERVER, 0) != 1) {
    return wrong(name_of(result.chain_, 0) +
                 " may not serve TLS; issue it with the extended key usage serverAuth");
  }
  if (const auto error = check_dates(result.chain_, now, result.not_after_)) return wrong(*error);
  return result;
}

}  // namespace http
