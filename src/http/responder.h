#pragma once

#include <functional>
#include <memory>
#include <string>

#include "http/request.h"
#include "http/route.h"

namespace http {

/// One request on its way to its handler.
struct Exchange {
  const Route& route;
  const Request& request;
  bool http_1_0 = false;
  /// Whether the reply is to be the connection's last; asked once the handler is done.
  const std::function<bool()>& last;
};

/// What came of it.
struct Outcome {
  bool close = false;   ///< the reply says so
  std::string failure;  ///< what a handler threw; empty if nothing
};

/// Turns requests into replies through cpp-httplib, which gets a head of our own making over
/// memory, so that it and we cannot read one request differently, and so that Range, Expect,
/// Accept-Encoding and chunked bodies never reach it. The only place that knows its API; works
/// with 0.11 and with 0.16 and later. Thread-safe.
class Responder {
 public:
  Responder();
  ~Responder();
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;

  /// Calls the handler and appends all bytes of the reply to `replies`.
  Outcome respond(const Exchange& exchange, std::string& replies) const;

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace http
