#pragma once

#include <string>
#include <vector>

#include "http/event.h"
#include "http/limits.h"
#include "http/responder.h"
#include "http/route.h"
#include "http/signal_flag.h"
#include "http/transport.h"

namespace http {

/// What the connections of one server share. Thread-safe, and valid as long as any of them.
struct Service {
  Limits limits;
  std::vector<Route> routes;
  Observer observer;  // never empty
  Responder responder;
  SignalFlag draining;  ///< replies say close; connections that had one end once they are idle
  SignalFlag stopping;  ///< connections without a request under way end
};

/// Serves one connection from the handshake to its end, on the calling thread. `peer` is its
/// name for handlers and events. May throw std::bad_alloc.
void serve_connection(Service& service, Transport& transport, const std::string& peer);

}  // namespace http
