#pragma once

#include <string>
#include <utility>
#include <vector>

namespace http {

/// What a handler answers. The server adds Content-Length and Connection; it leaves the body of
/// an answer to HEAD out, so that a handler need not tell HEAD from GET.
struct Response {
  int status = 200;
  std::string content_type;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  ///< further fields
};

}  // namespace http
