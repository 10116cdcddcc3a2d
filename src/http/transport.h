#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "http/openssl.h"

namespace http {

using Deadline = std::chrono::steady_clock::time_point;

/// Why bytes did not come or go.
enum class IoError {
  timeout,  ///< the deadline passed
  closed    ///< the peer ended the connection, in order or not, or broke its TLS
};

/// The bytes of one connection, through TLS or plain, over a non-blocking socket that it does not
/// own. Every call waits no longer than its deadline. For one thread at a time.
class Transport {
 public:
  /// Over TLS if `context` is not null.
  Transport(int socket, SSL_CTX* context);

  /// Does the TLS handshake; nothing to do without TLS. The error is a sentence; it is empty where
  /// the peer went away before it had sent anything, as probes do.
  [[nodiscard]] std::expected<void, std::string> handshake(Deadline deadline);

  enum class Wait { readable, timeout, woken };
  /// Waits for the first bytes of a request, or until the descriptor `wake` is readable. What is
  /// there to be read goes before `wake`.
  [[nodiscard]] Wait wait(Deadline deadline, int wake);

  /// Reads at least one byte.
  [[nodiscard]] std::expected<std::size_t, IoError> read(std::span<char> to, Deadline deadline);

  /// Writes all of `bytes`.
  [[nodiscard]] std::expected<void, IoError> write(std::string_view bytes, Deadline deadline);

  /// Says that nothing more will be written.
  void finish(Deadline deadline);

  /// Reads and forgets what the peer still sends, until it ends or `bytes` of it or the deadline
  /// are reached: a socket that is closed with unread bytes resets the connection, and the peer
  /// may never see the reply.
  void discard(std::size_t bytes, Deadline deadline) const;

 private:
  [[nodiscard]] bool wait_for(int error, Deadline deadline) const;
  [[nodiscard]] std::string handshake_error(int error, int system_error);
  void answer_plain_http() const;

  int socket_;
  OpensslPtr<SSL> ssl_;       // null without TLS
  bool established_ = false;  // the handshake is done and nothing has broken since
};

}  // namespace http
