#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tests/bench/tls.h"

namespace bench {

using Clock = std::chrono::steady_clock;

/// One connection that sends a request and reads its reply, again and again.
class Client {
 public:
  /// Null for `context`: plain HTTP. It and `request` have to outlive the client.
  Client(int port, SSL_CTX* context, const std::string& request);

  enum class State { waiting, replied, failed };

  /// Does what can be done now; `replied` once for each reply, in which case `restart` or `reopen`
  /// has to follow.
  [[nodiscard]] State advance();

  /// The same request on the same connection, and on a new one.
  void restart();
  void reopen();

  [[nodiscard]] int socket() const { return socket_; }
  /// What it waits for, in epoll's terms.
  [[nodiscard]] std::uint32_t wants() const { return wants_; }
  /// When the request, or with it the connection, was begun.
  [[nodiscard]] Clock::time_point begun() const { return begun_; }

 private:
  void open();
  State blocked();
  [[nodiscard]] bool has_whole_reply() const;

  int port_;
  SSL_CTX* context_;
  const std::string& request_;
  int socket_ = -1;  // `connection_` owns it
  std::unique_ptr<BIO, Free> connection_;
  std::size_t sent_ = 0;
  std::string received_;
  std::uint32_t wants_ = 0;
  Clock::time_point begun_;
};

}  // namespace bench
