#include "http/server.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <thread>
#include <utility>

#include "http/acceptor.h"
#include "http/address.h"
#include "http/event_loop.h"
#include "http/file_descriptor.h"
#include "http/listener.h"
#include "http/processors.h"
#include "http/service.h"
#include "http/signal_flag.h"

namespace http {

class Server::State {
 public:
  explicit State(ServerOptions options)
      : address_{std::move(options.host), options.port},
        tls_(std::move(options.tls)),
        grace_(options.grace),
        service_(options.limits, std::move(options.routes), std::move(options.client_names),
                 std::move(options.observer)) {
    const unsigned loops = options.loops > 0 ? options.loops : available_processors();
    for (unsigned i = 0; i < loops; ++i) loops_.push_back(std::make_unique<EventLoop>(service_));
  }

  std::expected<std::uint16_t, std::string> listen() {
    auto listener = open_listener(address_);
    if (!listener) return std::unexpected(std::move(listener.error()));
    listener_ = std::move(*listener);
    return local_port(listener_);
  }

  void run() {
    std::vector<std::jthread> threads;
    threads.reserve(loops_.size());
    for (const auto& loop : loops_) threads.emplace_back([&loop] { loop->run(); });
    Acceptor(listener_, service_, tls_, loops_).run(stopping_);
    listener_.reset();
    for (const auto& loop : loops_) loop->stop(grace_);
  }

  void drain() noexcept { service_.draining.store(true, std::memory_order_release); }

  void stop() noexcept {
    drain();
    stopping_.raise();
  }

  [[nodiscard]] std::size_t connections() const noexcept {
    return service_.connections.load(std::memory_order_relaxed);
  }

  [[nodiscard]] std::vector<std::size_t> connections_by_loop() const {
    std::vector<std::size_t> counts(loops_.size());
    std::ranges::transform(loops_, counts.begin(),
                           [](const auto& loop) { return loop->connections(); });
    return counts;
  }

 private:
  Address address_;
  TlsSource tls_;
  std::chrono::milliseconds grace_;
  Service service_;
  SignalFlag stopping_;
  FileDescriptor listener_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
};

Server::Server(ServerOptions options) : state_(std::make_unique<State>(std::move(options))) {
  std::signal(SIGPIPE, SIG_IGN);
}

Server::~Server() = default;

std::expected<std::uint16_t, std::string> Server::listen() { return state_->listen(); }

void Server::run() { state_->run(); }

void Server::drain() noexcept { state_->drain(); }

void Server::stop() noexcept { state_->stop(); }

std::size_t Server::connections() const noexcept { return state_->connections(); }

std::vector<std::size_t> Server::connections_by_loop() const {
  return state_->connections_by_loop();
}

}  // namespace http
