#include "webhook/observer.h"

#include <string>

namespace webhook {
namespace {

/// A refused request or handshake is the client's business; the rest is an administrator's.
LogLevel level_of(http::Event::Kind kind) {
  switch (kind) {
    case http::Event::Kind::handshake_failed:
    case http::Event::Kind::refused:
      return LogLevel::debug;
    case http::Event::Kind::accept_failed:
    case http::Event::Kind::too_many_connections:
      return LogLevel::warn;
    case http::Event::Kind::handler_failed:
      return LogLevel::error;
  }
  return LogLevel::error;
}

}  // namespace

http::Observer observer(Log& log) {
  return [&log](const http::Event& event) {
    const std::string status = std::to_string(event.status);
    log.write(level_of(event.kind), http::to_string(event.kind),
              {{"peer", event.peer}, {"status", status}, {"error", event.message}});
  };
}

}  // namespace webhook
