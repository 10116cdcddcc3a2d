#pragma once

#include <chrono>
#include <cstddef>

namespace http {

/// What a server grants its clients.
struct Limits {
  std::chrono::milliseconds keep_alive{120'000};    ///< a connection without a request
  std::size_t head = std::size_t{16} * 1024;        ///< bytes of request line and fields: 431
  std::size_t body = std::size_t{7} * 1024 * 1024;  ///< bytes: 413
  std::chrono::milliseconds request_time{10'000};   ///< to send a whole request (408); a handshake
  std::chrono::milliseconds write_time{10'000};     ///< to take what was replied
  std::size_t connections = 8192;                   ///< at once; further ones are closed
  /// Bytes of incomplete requests and unsent replies of all connections together: 429.
  std::size_t buffered = std::size_t{256} * 1024 * 1024;
  std::chrono::milliseconds max_connection_age{600'000};  ///< then a reply says close
};

}  // namespace http
