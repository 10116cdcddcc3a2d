#include "http/server.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "http/address.h"
#include "http/connection.h"
#include "http/file_descriptor.h"
#include "http/listener.h"
#include "http/thread_group.h"
#include "http/transport.h"

namespace http {
namespace {

// How long the acceptor rests when the system is out of descriptors, memory or threads.
constexpr int kRestMilliseconds = 100;

// What accept(2) gives for a connection that is gone already, or for a network that stumbles:
// the next one may be fine.
bool is_of_the_connection(int error) noexcept {
  switch (error) {
    case EAGAIN:
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
    case ENOPROTOOPT:
    case EOPNOTSUPP:
      return true;
    default:
      return false;
  }
}

}  // namespace

class Server::State {
 public:
  explicit State(ServerOptions options)
      : options_(std::move(options)),
        service_{
            options_.limits, std::move(options_.routes), std::move(options_.observer), {}, {}, {}} {
    if (!service_.observer) service_.observer = [](const Event&) {};
  }

  std::expected<std::uint16_t, std::string> listen() {
    auto listener = open_listener({options_.host, options_.port});
    if (!listener) return std::unexpected(std::move(listener.error()));
    listener_ = std::move(*listener);
    return local_port(listener_);
  }

  void run() {
    while (!service_.stopping.raised()) {
      std::array<pollfd, 2> descriptors{
          {{listener_.get(), POLLIN, 0}, {service_.stopping.descriptor(), POLLIN, 0}}};
      if (::poll(descriptors.data(), descriptors.size(), -1) > 0 && descriptors[0].revents != 0) {
        accept_one();
      }
    }
    listener_.reset();
    if (!threads_.wait_until_empty(std::chrono::steady_clock::now() + options_.grace)) cut_off();
    threads_.join_all();
  }

  void drain() noexcept { service_.draining.raise(); }

  void stop() noexcept {
    service_.draining.raise();
    service_.stopping.raise();
  }

  [[nodiscard]] std::size_t connections() const { return threads_.size(); }

 private:
  void accept_one() {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    FileDescriptor socket(::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size,
                                    SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.valid()) {
      if (!is_of_the_connection(errno)) rest(std::generic_category().message(errno));
      return;
    }
    const std::string peer = peer_name(address);
    if (threads_.size() >= options_.limits.connections) {
      service_.observer(
          {Event::Kind::too_many_connections, peer, 0,
           "there are " + std::to_string(options_.limits.connections) + " connections already"});
      return;
    }
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const bool started = threads_.start(
        [this, socket = std::move(socket), peer]() mutable { serve(std::move(socket), peer); });
    if (!started) rest("there is no further thread");
  }

  void rest(const std::string& why) const {
    service_.observer({Event::Kind::accept_failed, {}, 0, "cannot take a connection: " + why});
    pollfd stopping{service_.stopping.descriptor(), POLLIN, 0};
    ::poll(&stopping, 1, kRestMilliseconds);
  }

  void serve(FileDescriptor socket, const std::string& peer) {
    {
      const std::lock_guard lock(mutex_);
      sockets_.insert(socket.get());
    }
    try {
      serve_through_tls(socket.get(), peer);
    } catch (const std::exception& error) {
      service_.observer({Event::Kind::accept_failed, peer, 0,
                         std::string("the connection was given up: ") + error.what()});
    }
    // Before it is closed: its number may be another connection's then.
    const std::lock_guard lock(mutex_);
    sockets_.erase(socket.get());
    socket.reset();
  }

  void serve_through_tls(int socket, const std::string& peer) {
    std::shared_ptr<SSL_CTX> context;
    if (options_.tls) {
      context = options_.tls();
      if (!context) {
        service_.observer({Event::Kind::handshake_failed, peer, 0, "there is no certificate yet"});
        return;
      }
    }
    Transport transport(socket, context.get());
    serve_connection(service_, transport, peer);
  }

  void cut_off() {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }

  ServerOptions options_;
  Service service_;
  FileDescriptor listener_;
  std::mutex mutex_;
  std::set<int> sockets_;  // of open connections; guarded by mutex_
  ThreadGroup threads_;    // last: its threads use the rest
};

Server::Server(ServerOptions options) : state_(std::make_unique<State>(std::move(options))) {
  std::signal(SIGPIPE, SIG_IGN);
}

Server::~Server() = default;

std::expected<std::uint16_t, std::string> Server::listen() { return state_->listen(); }

void Server::run() { state_->run(); }

void Server::drain() noexcept { state_->drain(); }

void Server::stop() noexcept { state_->stop(); }

std::size_t Server::connections() const { return state_->connections(); }

}  // namespace http
