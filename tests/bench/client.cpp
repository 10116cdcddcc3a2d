#include "tests/bench/client.h"

#include <array>
#include <charconv>
#include <string_view>

#include <openssl/err.h>
#include <sys/epoll.h>

namespace bench {
namespace {

std::size_t content_length(std::string_view reply) {
  for (const std::string_view name : {"\r\nContent-Length: ", "\r\ncontent-length: "}) {
    const std::size_t at = reply.find(name);
    if (at == std::string_view::npos) continue;
    std::size_t length = 0;
    std::from_chars(reply.data() + at + name.size(), reply.data() + reply.size(), length);
    return length;
  }
  return 0;
}

}  // namespace

Client::Client(int port, SSL_CTX* context, const std::string& request)
    : port_(port), context_(context), request_(request) {
  open();
}

Client::State Client::advance() {
  ERR_clear_error();
  while (sent_ < request_.size()) {
    std::size_t count = 0;
    if (BIO_write_ex(connection_.get(), request_.data() + sent_, request_.size() - sent_, &count) !=
        1) {
      return blocked();
    }
    sent_ += count;
  }
  do {
    static std::array<char, 16384> bytes;
    std::size_t count = 0;
    if (BIO_read_ex(connection_.get(), bytes.data(), bytes.size(), &count) != 1) return blocked();
    received_.append(bytes.data(), count);
  } while (!has_whole_reply());
  return received_.compare(9, 3, "200") == 0 ? State::replied : State::failed;
}

void Client::restart() {
  begun_ = Clock::now();
  sent_ = 0;
  received_.clear();
}

void Client::reopen() {
  connection_.reset();
  open();
}

void Client::open() {
  restart();
  wants_ = EPOLLOUT;
  socket_ = open_socket(port_);
  connection_.reset(BIO_new_socket(socket_, BIO_CLOSE));
  if (context_ != nullptr) {
    // Shakes hands before the first byte, and says good-bye when it is freed.
    constexpr int kAsClient = 1;
    connection_.reset(BIO_push(BIO_new_ssl(context_, kAsClient), connection_.release()));
  }
}

Client::State Client::blocked() {
  if (!BIO_should_retry(connection_.get())) return State::failed;
  wants_ = BIO_should_write(connection_.get()) ? EPOLLOUT : EPOLLIN;
  return State::waiting;
}

bool Client::has_whole_reply() const {
  const std::size_t head = received_.find("\r\n\r\n");
  if (head == std::string::npos) return false;
  // Go's server sends what is over 2 KiB in chunks.
  const bool chunked = received_.find("\r\nTransfer-Encoding: chunked\r\n") < head;
  return chunked ? received_.ends_with("\r\n0\r\n\r\n")
                 : received_.size() >= head + 4 + content_length(received_);
}

}  // namespace bench
