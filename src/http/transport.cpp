#include "http/transport.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <new>
#include <system_error>

#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>

#include "http/refusal.h"

namespace http {
namespace {

int milliseconds_until(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(
      std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, std::numeric_limits<int>::max()));
}

// poll(2) until something is ready or the deadline; how many are ready.
int poll_until(std::span<pollfd> descriptors, Deadline deadline) {
  while (true) {
    const int ready = ::poll(descriptors.data(), descriptors.size(), milliseconds_until(deadline));
    if (ready >= 0 || errno != EINTR) return ready;
  }
}

bool wait_until(int socket, short events, Deadline deadline) {
  std::array<pollfd, 1> descriptors{{{socket, events, 0}}};
  return poll_until(descriptors, deadline) > 0;
}

bool would_block(int error) noexcept { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

Transport::Transport(int socket, SSL_CTX* context) : socket_(socket) {
  if (context == nullptr) return;
  ssl_.reset(SSL_new(context));
  if (!ssl_ || SSL_set_fd(ssl_.get(), socket) != 1) throw std::bad_alloc();
}

bool Transport::wait_for(int error, Deadline deadline) const {
  return wait_until(socket_, error == SSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN, deadline);
}

std::expected<void, std::string> Transport::handshake(Deadline deadline) {
  if (!ssl_) return {};
  while (true) {
    ERR_clear_error();
    errno = 0;
    const int result = SSL_accept(ssl_.get());
    const int system_error = errno;
    if (result == 1) break;
    const int error = SSL_get_error(ssl_.get(), result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      return std::unexpected(handshake_error(error, system_error));
    }
    if (!wait_for(error, deadline)) {
      return std::unexpected("the TLS handshake was not finished in time");
    }
  }
  established_ = true;
  return {};
}

std::string Transport::handshake_error(int error, int system_error) {
  if (error == SSL_ERROR_SSL && ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST) {
    ERR_clear_error();
    answer_plain_http();
    return "the client speaks plain HTTP; this port takes https:// only";
  }
  const std::string reason = take_openssl_error();
  // OpenSSL names an end of file "unexpected eof while reading" or nothing at all.
  const bool untouched = BIO_number_read(SSL_get_rbio(ssl_.get())) == 0;
  if (untouched) return {};
  if (!reason.empty()) return "the TLS handshake failed: " + reason;
  if (system_error != 0) {
    return "the TLS handshake failed: " + std::generic_category().message(system_error);
  }
  return "the client went away during the TLS handshake";
}

void Transport::answer_plain_http() const {
  const std::string reply =
      write_refusal({400, "this port speaks HTTPS; write https:// instead of http://", {}});
  // Best effort: the socket's buffer is empty as yet, so that it takes these few bytes at once.
  static_cast<void>(::send(socket_, reply.data(), reply.size(), MSG_NOSIGNAL));
}

Transport::Wait Transport::wait(Deadline deadline, int wake) {
  if (ssl_ && SSL_has_pending(ssl_.get()) == 1) return Wait::readable;
  std::array<pollfd, 2> descriptors{{{socket_, POLLIN, 0}, {wake, POLLIN, 0}}};
  if (poll_until(descriptors, deadline) <= 0) return Wait::timeout;
  return descriptors[0].revents != 0 ? Wait::readable : Wait::woken;
}

std::expected<std::size_t, IoError> Transport::read(std::span<char> to, Deadline deadline) {
  while (true) {
    int error = SSL_ERROR_WANT_READ;
    if (ssl_) {
      ERR_clear_error();
      std::size_t count = 0;
      const int result = SSL_read_ex(ssl_.get(), to.data(), to.size(), &count);
      if (result == 1) return count;
      error = SSL_get_error(ssl_.get(), result);
      if (error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL) established_ = false;
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
        return std::unexpected(IoError::closed);
      }
    } else {
      const ssize_t count = ::recv(socket_, to.data(), to.size(), 0);
      if (count > 0) return static_cast<std::size_t>(count);
      if (count == 0 || (!would_block(errno) && errno != EINTR)) {
        return std::unexpected(IoError::closed);
      }
    }
    if (!wait_for(error, deadline)) return std::unexpected(IoError::timeout);
  }
}

std::expected<void, IoError> Transport::write(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    int error = SSL_ERROR_WANT_WRITE;
    if (ssl_) {
      ERR_clear_error();
      std::size_t count = 0;
      const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &count);
      if (result == 1) {
        bytes.remove_prefix(count);
        continue;
      }
      error = SSL_get_error(ssl_.get(), result);
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
        established_ = false;
        return std::unexpected(IoError::closed);
      }
    } else {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(count));
        continue;
      }
      if (!would_block(errno) && errno != EINTR) return std::unexpected(IoError::closed);
    }
    if (!wait_for(error, deadline)) {
      established_ = false;  // half a record may be out: nothing can follow it
      return std::unexpected(IoError::timeout);
    }
  }
  return {};
}

void Transport::finish(Deadline deadline) {
  while (established_) {
    ERR_clear_error();
    const int result = SSL_shutdown(ssl_.get());
    if (result >= 0) break;
    const int error = SSL_get_error(ssl_.get(), result);
    if (error != SSL_ERROR_WANT_WRITE || !wait_for(error, deadline)) break;
  }
  established_ = false;
  ::shutdown(socket_, SHUT_WR);
}

void Transport::discard(std::size_t bytes, Deadline deadline) const {
  // The socket's own bytes: nobody needs them decrypted.
  std::array<char, 16384> sink{};
  while (bytes > 0) {
    const ssize_t count = ::recv(socket_, sink.data(), std::min(bytes, sink.size()), 0);
    if (count == 0 || (count < 0 && !would_block(errno) && errno != EINTR)) return;
    if (count > 0) {
      bytes -= static_cast<std::size_t>(count);
      if (std::chrono::steady_clock::now() >= deadline) return;
    } else if (!wait_until(socket_, POLLIN, deadline)) {
      return;
    }
  }
}

}  // namespace http
