#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tests/bench/tls.h"

namespace bench {

/// A client that sends a byte a second.
class SlowClient {
 public:
  enum class Stage { handshake, head, body };  ///< where it is slow

  /// `context` and `request` have to outlive the client.
  SlowClient(int port, SSL_CTX* context, const std::string& request, Stage stage)
      : port_(port), context_(context), request_(request), stage_(stage) {}
  ~SlowClient() { close(); }
  SlowClient(const SlowClient&) = delete;
  SlowClient& operator=(const SlowClient&) = delete;

  /// Sends the next byte; to be called once a second. Begins anew where it was closed.
  void step();

  /// Goes on with a handshake that is not to be slow.
  void shake_hands();

 private:
  void open();
  [[nodiscard]] bool ended() const;
  void close();

  int port_;
  SSL_CTX* context_;
  const std::string& request_;
  Stage stage_;
  int socket_ = -1;
  std::unique_ptr<SSL, Free> ssl_;
  std::string hello_;
  std::size_t at_ = 0;
};

}  // namespace bench
