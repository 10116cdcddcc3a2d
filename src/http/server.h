#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/event.h"
#include "http/limits.h"
#include "http/openssl.h"
#include "http/route.h"

namespace http {

/// Gives the TLS context that a new connection is to use, so that certificates can be changed
/// while a server runs. Called from the thread that runs the server; must not throw.
using TlsSource = std::function<std::shared_ptr<SSL_CTX>()>;

struct ServerOptions {
  std::string host;        ///< empty: every address
  std::uint16_t port = 0;  ///< 0: any free one
  Limits limits;
  std::vector<Route> routes;
  TlsSource tls;  ///< empty: plain HTTP
  /// Common names and DNS names of client certificates that may ask; empty: any. Where the TLS
  /// contexts ask for no client certificate, nobody has a name.
  std::vector<std::string> client_names;
  unsigned loops = 0;  ///< threads that serve; 0: as many as there are processors for this process
  Observer observer;   ///< may be empty
  std::chrono::milliseconds grace{10'000};  ///< for what is in flight when the server is stopped
};

/// An HTTP/1.1 server, over TLS or plain. It reads heads strictly, answers itself what no handler
/// needs to see (400, 403, 404, 405, 408, 411, 413, 415, 417, 429, 431, 500, 501, 505: text, and
/// the connection ends), keeps connections alive without a limit of requests, answers pipelined
/// requests in order, never compresses, redirects or serves ranges.
///
/// The process ignores SIGPIPE from the first Server on: OpenSSL cannot write without it.
class Server {
 public:
  explicit Server(ServerOptions options);
  /// `run` must have returned.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Binds; connections queue up from now on. The port, or a sentence that says what is wrong.
  [[nodiscard]] std::expected<std::uint16_t, std::string> listen();

  /// Serves until `stop`. To be called once, after `listen`.
  void run();

  /// From now on every reply says `Connection: close`. Idle connections stay open: a request may be
  /// on its way. New ones are still taken and may send one request. From any thread or signal
  /// handler.
  void drain() noexcept;

  /// Ends `run`: takes what waits in the accept queue and no more connections, answers what has
  /// come, gives those with a request under way the grace period to finish, then cuts them off. A
  /// handler that runs is always waited for. From any thread or signal handler; before `run`, too.
  void stop() noexcept;

  /// How many connections are open, and how many each loop has. From any thread.
  [[nodiscard]] std::size_t connections() const noexcept;
  [[nodiscard]] std::vector<std::size_t> connections_by_loop() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace http
