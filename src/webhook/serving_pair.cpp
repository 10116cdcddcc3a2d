#include "webhook/serving_pair.h"

#include <utility>

#include "http/certificate.h"
#include "http/pem.h"
#include "http/tls_context.h"

namespace webhook {

std::expected<std::shared_ptr<const ServingPair>, std::string> load_serving_pair(
    const std::filesystem::path& directory, const std::optional<std::filesystem::path>& client_ca) {
  const auto certificate = http::Certificate::load(directory, std::chrono::system_clock::now());
  if (!certificate) return std::unexpected(certificate.error());
  http::CertificateList authorities;
  if (client_ca) {
    const auto text = http::read_pem_file(*client_ca);
    if (!text) return std::unexpected(text.error());
    auto read = http::read_certificates(*client_ca, *text);
    if (!read) return std::unexpected(std::move(read.error()));
    authorities = std::move(*read);
  }
  auto context = http::make_tls_context(*certificate, authorities);
  if (!context) return std::unexpected(std::move(context.error()));
  return std::make_shared<const ServingPair>(
      ServingPair{.context = std::move(*context), .not_after = certificate->not_after()});
}

}  // namespace webhook
