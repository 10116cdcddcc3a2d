#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace kube {

/// Why a call of the API server failed.
struct Error {
  int status = 0;            ///< of HTTP; 0: no answer came
  std::string reason = {};   ///< of the Status object: "NotFound", "Conflict"; may be empty
  std::string message = {};  ///< for people; never empty
  std::optional<std::chrono::seconds> retry_after = std::nullopt;  ///< as the server asks

  [[nodiscard]] bool is_not_found() const noexcept { return status == 404; }
  [[nodiscard]] bool is_conflict() const noexcept { return status == 409; }
  /// The resource version is too old: list again.
  [[nodiscard]] bool is_gone() const noexcept { return status == 410; }
  /// No answer, too many requests, or a fault of the server's: the same may succeed later.
  [[nodiscard]] bool is_transient() const noexcept {
    return status == 0 || status == 408 || status == 429 || status >= 500;
  }
};

/// What an answer other than 2xx says. `body` is a Status object of the API (meta/v1), or any text.
[[nodiscard]] Error error_of(int status, const std::string& body);

/// "404 NotFound: pods "a" not found", or the message alone where no answer came.
[[nodiscard]] std::string to_string(const Error& error);

}  // namespace kube
