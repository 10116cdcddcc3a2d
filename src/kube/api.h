#pragma once

#include <expected>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kube/error.h"

namespace kube {

/// Media types of patches.
inline constexpr std::string_view kJsonPatch = "application/json-patch+json";
inline constexpr std::string_view kMergePatch = "application/merge-patch+json";
inline constexpr std::string_view kApplyPatch = "application/apply-patch+yaml";
inline constexpr std::string_view kJson = "application/json";

/// One call of the API server.
struct Request {
  std::string method = "GET";  ///< GET, POST, PUT, PATCH or DELETE
  std::string path;            ///< with its query: see `path_of`
  std::string body = {};
  std::string content_type = std::string(kJson);  ///< of `body`
};

/// An API server as its callers see it: the seam for tests. Safe for use from many threads.
class Api {
 public:
  Api() = default;
  virtual ~Api() = default;
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  /// The body of the answer, JSON. Waits for the rate limit and for the answer.
  [[nodiscard]] virtual std::expected<std::string, Error> send(const Request& request) = 0;

  /// GETs `path` and hands on each line of the answer until its end, until `on_line` gives false,
  /// or until a stop is asked for; neither of those is an error. Not rate limited.
  [[nodiscard]] virtual std::expected<void, Error> stream(
      const std::string& path, const std::function<bool(std::string_view)>& on_line,
      const std::stop_token& stop) = 0;
};

}  // namespace kube
