#include "http/event.h"

namespace http {

std::string_view to_string(Event::Kind kind) noexcept {
  switch (kind) {
    case Event::Kind::accept_failed:
      return "accept_failed";
    case Event::Kind::too_many_connections:
      return "too_many_connections";
    case Event::Kind::handshake_failed:
      return "handshake_failed";
    case Event::Kind::refused:
      return "refused";
    case Event::Kind::handler_failed:
      return "handler_failed";
  }
  return "unknown";
}

}  // namespace http
