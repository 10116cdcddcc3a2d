#pragma once

#include <cstddef>
#include <string_view>

namespace http {

/// Bytes behind a request's body that may be read (not relied on): what simdjson needs to work
/// over the body in place.
inline constexpr std::size_t kBodyPadding = 64;

/// A whole request as its handler sees it. The views are valid until the handler returns.
struct Request {
  std::string_view method;        ///< "GET", "HEAD", "POST", ...
  std::string_view path;          ///< the route's path, without the query
  std::string_view content_type;  ///< the field's value, parameters included; may be empty
  std::string_view peer;          ///< "192.0.2.1:40000" or "[2001:db8::1]:40000"
  std::string_view body;          ///< whole; `kBodyPadding` readable bytes follow it
};

}  // namespace http
