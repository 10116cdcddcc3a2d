#include "http/channel.h"

#include <array>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include <openssl/err.h>
#include <sys/socket.h>

#include "http/refusal.h"

namespace http {
namespace {

Io io_of_errno(Io blocked) noexcept {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? blocked : Io::closed;
}

}  // namespace

Channel::Channel(FileDescriptor socket, SSL_CTX* context) : socket_(std::move(socket)) {
  if (context == nullptr) return;
  ssl_.reset(SSL_new(context));
  if (!ssl_ || SSL_set_fd(ssl_.get(), socket_.get()) != 1) throw std::bad_alloc();
}

std::expected<Io, std::string> Channel::handshake() {
  // The queue belongs to the thread: a neighbour's error must not be taken for this one's.
  ERR_clear_error();
  errno = 0;
  const int result = SSL_accept(ssl_.get());
  const int system_error = errno;
  if (result == 1) {
    established_ = true;
    return Io::done;
  }
  const int error = SSL_get_error(ssl_.get(), result);
  if (error == SSL_ERROR_WANT_READ) return Io::want_read;
  if (error == SSL_ERROR_WANT_WRITE) return Io::want_write;
  return std::unexpected(handshake_error(error, system_error));
}

std::string Channel::handshake_error(int error, int system_error) {
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

void Channel::answer_plain_http() const {
  const std::string reply =
      write_refusal({400, "this port speaks HTTPS; write https:// instead of http://", {}});
  // Best effort: the socket's buffer is empty as yet, so that it takes these few bytes at once.
  static_cast<void>(::send(socket_.get(), reply.data(), reply.size(), MSG_NOSIGNAL));
}

Io Channel::io_of(int result) {
  const int error = SSL_get_error(ssl_.get(), result);
  if (error == SSL_ERROR_WANT_READ) return Io::want_read;
  if (error == SSL_ERROR_WANT_WRITE) return Io::want_write;
  if (error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL) established_ = false;
  return Io::closed;
}

IoResult Channel::read(std::span<char> to) {
  if (ssl_) {
    ERR_clear_error();
    std::size_t count = 0;
    const int result = SSL_read_ex(ssl_.get(), to.data(), to.size(), &count);
    return result == 1 ? IoResult{Io::done, count} : IoResult{io_of(result), 0};
  }
  const ssize_t count = ::recv(socket_.get(), to.data(), to.size(), 0);
  if (count > 0) return {Io::done, static_cast<std::size_t>(count)};
  return {count == 0 ? Io::closed : io_of_errno(Io::want_read), 0};
}

IoResult Channel::write(std::string_view bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const std::string_view rest = bytes.substr(written);
    if (ssl_) {
      ERR_clear_error();
      std::size_t count = 0;
      const int result = SSL_write_ex(ssl_.get(), rest.data(), rest.size(), &count);
      if (result != 1) return {io_of(result), written};
      written += count;
    } else {
      const ssize_t count = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
      if (count < 0) return {io_of_errno(Io::want_write), written};
      written += static_cast<std::size_t>(count);
    }
  }
  return {Io::done, written};
}

bool Channel::has_pending() const noexcept {
  return ssl_ != nullptr && SSL_has_pending(ssl_.get()) == 1;
}

void Channel::finish() noexcept {
  if (established_) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    established_ = false;
  }
  ::shutdown(socket_.get(), SHUT_WR);
}

IoResult Channel::discard() {
  // The socket's own bytes: nobody needs them decrypted.
  std::array<char, 16384> sink{};
  const ssize_t count = ::recv(socket_.get(), sink.data(), sink.size(), 0);
  if (count > 0) return {Io::done, static_cast<std::size_t>(count)};
  return {count == 0 ? Io::closed : io_of_errno(Io::want_read), 0};
}

}  // namespace http
