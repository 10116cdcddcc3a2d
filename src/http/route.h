#pragma once

#include <functional>
#include <string>

#include "http/request.h"
#include "http/response.h"

namespace http {

/// One thing that a server does. Paths are compared byte for byte, queries are ignored.
struct Route {
  std::string method;    ///< "GET" (which answers HEAD too), "POST", ...
  std::string path;      ///< "/mutate"
  std::string consumes;  ///< media type that a body must have; empty: any, or no body at all
  /// Called from many threads at once. What it throws becomes a 500 that does not say why; the
  /// server's observer is told.
  std::function<Response(const Request&)> handler;
};

}  // namespace http
