#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "http/openssl.h"

namespace webhook {

/// A serving certificate, ready for use. Immutable.
struct ServingPair {
  std::shared_ptr<SSL_CTX> context;
  std::chrono::system_clock::time_point not_after;
};

/// Loads and checks the pair in `directory`, and the certificates of `client_ca` if it is given, as
/// a whole; the error names the file and the mend.
[[nodiscard]] std::expected<std::shared_ptr<const ServingPair>, std::string> load_serving_pair(
    const std::filesystem::path& directory, const std::optional<std::filesystem::path>& client_ca);

}  // namespace webhook
