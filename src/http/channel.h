#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "http/file_descriptor.h"
#include "http/openssl.h"

namespace http {

/// How far a step on a non-blocking channel got.
enum class Io {
  done,
  want_read,   ///< go on when the socket is readable
  want_write,  ///< go on when the socket is writable; reading may say so, too (TLS)
  closed       ///< the peer ended the connection, in order or not, or broke its TLS
};

struct IoResult {
  Io io = Io::done;
  std::size_t bytes = 0;  ///< moved; more than 0 where `io` is `done`
};

/// The bytes of one connection, through TLS or plain. Owns the socket, which is non-blocking, and
/// the TLS session. Nothing waits. For one thread at a time.
class Channel {
 public:
  /// Over TLS if `context` is not null. Throws std::bad_alloc.
  Channel(FileDescriptor socket, SSL_CTX* context);

  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  /// Null without TLS.
  [[nodiscard]] SSL* ssl() const noexcept { return ssl_.get(); }

  /// Goes on with the TLS handshake; only with TLS. The error is a sentence; it is
  /// empty where the peer went away before it had sent anything, as probes do.
  [[nodiscard]] std::expected<Io, std::string> handshake();

  /// Reads what is there.
  [[nodiscard]] IoResult read(std::span<char> to);

  /// Writes as much as goes. What follows a `want_*` has to begin with the same bytes.
  [[nodiscard]] IoResult write(std::string_view bytes);

  /// Whether bytes were taken from the socket that `read` has not given yet: the socket then need
  /// not become readable for them.
  [[nodiscard]] bool has_pending() const noexcept;

  /// Says that nothing more will be written, as far as that can be said now.
  void finish() noexcept;

  /// Reads and forgets the socket's own bytes: a socket that is closed with unread bytes resets the
  /// connection, and the peer may never see the last reply.
  [[nodiscard]] IoResult discard();

 private:
  [[nodiscard]] Io io_of(int result);
  [[nodiscard]] std::string handshake_error(int error, int system_error);
  void answer_plain_http() const;

  FileDescriptor socket_;
  OpensslPtr<SSL> ssl_;       // null without TLS
  bool established_ = false;  // the handshake is done and nothing has broken since
};

}  // namespace http
