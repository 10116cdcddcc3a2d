#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace http {

/// Something that went wrong on a server, for its log and metrics.
struct Event {
  enum class Kind {
    accept_failed,         ///< the system gave no connection or no thread; the server goes on
    too_many_connections,  ///< closed at once: `Limits::connections` are open
    handshake_failed,      ///< the peer and the server found no common TLS
    refused,               ///< a request was answered by the server itself; see `status`
    handler_failed         ///< a handler threw; the client got a 500
  };
  Kind kind;
  std::string peer;     ///< "address:port"; empty where there is none
  int status = 0;       ///< of the reply; 0 where there is none
  std::string message;  ///< for people; not for the client where `kind` is `handler_failed`
};

/// Told of events, from many threads at once. It must not throw.
using Observer = std::function<void(const Event&)>;

[[nodiscard]] std::string_view to_string(Event::Kind kind) noexcept;

}  // namespace http
