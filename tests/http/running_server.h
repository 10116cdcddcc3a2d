#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/certificate.h"
#include "http/server.h"
#include "http/tls_context.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_certificate.h"

namespace http_test {

/// The authority and the serving pair that all tests share; made once.
struct Identity {
  support::TestPair authority = support::TestPair::authority();
  support::TestPair pair = authority.issue({});
};

inline const Identity& identity() {
  static const Identity instance;
  return instance;
}

inline std::shared_ptr<SSL_CTX> context_of(const support::TestPair& pair) {
  const support::TemporaryDirectory directory;
  pair.write_to(directory.path());
  const auto certificate =
      http::Certificate::load(directory.path(), std::chrono::system_clock::now());
  if (!certificate) throw std::runtime_error(certificate.error());
  return http::make_tls_context(*certificate).value();
}

/// A server that runs on a thread of its own until it is destroyed.
class RunningServer {
 public:
  explicit RunningServer(http::ServerOptions options) {
    if (options.host.empty()) options.host = "127.0.0.1";
    options.observer = [this](const http::Event& event) {
      const std::lock_guard lock(mutex_);
      events_.push_back(event);
    };
    server_ = std::make_unique<http::Server>(std::move(options));
    const auto port = server_->listen();
    if (!port) throw std::runtime_error(port.error());
    port_ = *port;
    thread_ = std::thread([this] { server_->run(); });
  }
  ~RunningServer() { stop_and_wait(); }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  void stop_and_wait() {
    server_->stop();
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] http::Server& server() const noexcept { return *server_; }

  [[nodiscard]] std::vector<http::Event> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }

  /// Waits until there is such an event, for a few seconds at most; its message, or "".
  [[nodiscard]] std::string event_message(http::Event::Kind kind) const {
    std::string message;
    eventually([&] {
      const auto all = events();
      const auto found = std::ranges::find(all, kind, &http::Event::kind);
      if (found != all.end()) message = found->message;
      return found != all.end();
    });
    return message;
  }

  /// Waits until `condition` holds, for a few seconds at most; whether it does.
  static bool eventually(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<http::Event> events_;
  std::unique_ptr<http::Server> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

/// POST /echo (JSON) answers its body, GET /hello "hello"; GET /throw throws.
inline http::ServerOptions echo_options() {
  http::ServerOptions options;
  options.routes = {
      {"POST", "/echo", "application/json",
       [](const http::Request& request) {
         return http::Response{200, "application/json", std::string(request.body), {}};
       }},
      {"GET", "/hello", "",
       [](const http::Request& request) {
         return http::Response{
             200, "text/plain", "hello\n", {{"X-Method", std::string(request.method)}}};
       }},
      {"GET", "/throw", "",
       [](const http::Request&) -> http::Response { throw std::runtime_error("a secret path"); }},
  };
  return options;
}

inline http::ServerOptions tls_echo_options() {
  http::ServerOptions options = echo_options();
  options.tls = [context = context_of(identity().pair)] { return context; };
  return options;
}

}  // namespace http_test
