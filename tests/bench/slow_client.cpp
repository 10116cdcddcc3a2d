#include "tests/bench/slow_client.h"

#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bench {

void SlowClient::step() {
  if (socket_ < 0) open();
  if (ended()) {
    close();
    return;
  }
  if (stage_ == Stage::handshake) {
    if (at_ < hello_.size()) static_cast<void>(::send(socket_, &hello_[at_++], 1, MSG_NOSIGNAL));
    return;
  }
  ERR_clear_error();
  if (!SSL_is_init_finished(ssl_.get())) {
    SSL_connect(ssl_.get());
    return;
  }
  const std::size_t head = request_.find("\r\n\r\n") + 4;
  const std::size_t first = stage_ == Stage::body && at_ == 0 ? head : 1;
  if (at_ + first < request_.size() &&
      SSL_write(ssl_.get(), request_.data() + at_, static_cast<int>(first)) > 0) {
    at_ += first;
  }
}

void SlowClient::shake_hands() {
  if (socket_ < 0) open();
  ERR_clear_error();
  if (stage_ != Stage::handshake && !SSL_is_init_finished(ssl_.get())) SSL_connect(ssl_.get());
}

void SlowClient::open() {
  socket_ = open_socket(port_);
  at_ = 0;
  ssl_.reset(SSL_new(context_));
  if (stage_ == Stage::handshake) {
    BIO* const out = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), out);
    SSL_connect(ssl_.get());
    char* text = nullptr;
    const long size = BIO_get_mem_data(out, &text);
    hello_.assign(text, static_cast<std::size_t>(size));
  } else {
    SSL_set_fd(ssl_.get(), socket_);
  }
}

bool SlowClient::ended() const {
  // What was sent before the end, and is not read, must not hide it.
  pollfd descriptor{socket_, POLLRDHUP, 0};
  return ::poll(&descriptor, 1, 0) == 1;
}

void SlowClient::close() {
  ssl_.reset();
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

}  // namespace bench
