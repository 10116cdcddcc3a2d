#include "http/acceptor.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "http/listener.h"

namespace http {
namespace {

// How long the acceptor rests when the system is out of descriptors or memory. What waits in the
// queue meanwhile is served as soon as others have ended.
constexpr int kRestMilliseconds = 50;

// What accept(2) gives for a connection that is gone already, or for a network that stumbles:
// the next one may be fine.
bool is_of_the_connection(int error) noexcept {
  switch (error) {
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

void Acceptor::run(const SignalFlag& stopping) {
  while (!stopping.raised()) {
    std::array<pollfd, 2> descriptors{
        {{listener_.get(), POLLIN, 0}, {stopping.descriptor(), POLLIN, 0}}};
    if (::poll(descriptors.data(), descriptors.size(), -1) > 0 && descriptors[0].revents != 0) {
      accept_one(stopping);
    }
  }
  while (accept_one(stopping)) {
  }
}

bool Acceptor::accept_one(const SignalFlag& stopping) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  FileDescriptor socket(::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size,
                                  SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.valid()) {
    deal(std::move(socket), peer_name(address));
    return true;
  }
  if (errno == EAGAIN || errno == EWOULDBLOCK) return false;
  if (is_of_the_connection(errno)) return true;
  rest(std::generic_category().message(errno), stopping);
  return false;
}

void Acceptor::deal(FileDescriptor socket, std::string peer) {
  const std::size_t limit = service_.limits.connections;
  if (service_.connections.load(std::memory_order_relaxed) >= limit) {
    service_.observer({Event::Kind::too_many_connections, peer, 0,
                       "there are " + std::to_string(limit) + " connections already"});
    return;
  }
  std::shared_ptr<SSL_CTX> context;
  if (tls_) {
    context = tls_();
    if (!context) {
      service_.observer({Event::Kind::handshake_failed, peer, 0, "there is no certificate yet"});
      return;
    }
  }
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  EventLoop& loop = *loops_[next_++ % loops_.size()];
  service_.connections.fetch_add(1, std::memory_order_relaxed);
  loop.take({std::move(socket), std::move(context), std::move(peer)});
}

void Acceptor::rest(const std::string& why, const SignalFlag& stopping) const {
  service_.observer({Event::Kind::accept_failed, {}, 0, "cannot take a connection: " + why});
  pollfd descriptor{stopping.descriptor(), POLLIN, 0};
  ::poll(&descriptor, 1, kRestMilliseconds);
}

}  // namespace http
