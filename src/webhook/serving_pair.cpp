#include "webhook/serving_pair.h"

#include <utility>

#include "http/certificate.h"
#include "http/tls_context.h"

namespace webhook {

std::expected<std::shared_ptr<const ServingPair>, std::string> load_serving_pair(
    const std::filesystem::path& directory) {
  const auto certificate = http::Certificate::load(directory, std::chrono::system_clock::now());
  if (!certificate) return std::unexpected(certificate.error());
  auto context = http::make_tls_context(*certificate);
  if (!context) return std::unexpected(std::move(context.error()));
  return std::make_shared<const ServingPair>(
      ServingPair{.context = std::move(*context), .not_after = certificate->not_after()});
}

}  // namespace webhook
