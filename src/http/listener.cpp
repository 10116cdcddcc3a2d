#include "http/listener.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

namespace http {
namespace {

constexpr int kBacklog = 1024;

struct FreeAddresses {
  void operator()(addrinfo* list) const noexcept { ::freeaddrinfo(list); }
};

std::string describe(int error) {
  std::string text = std::generic_category().message(error);
  if (error == EADDRINUSE) text += "; stop the program that has it, or choose another port";
  if (error == EACCES) text += "; choose a port from 1024 up";
  if (error == EADDRNOTAVAIL) text += "; no interface of this machine has that address";
  return text;
}

// The socket, or errno.
std::expected<FileDescriptor, int> bind_to(const addrinfo& address) {
  FileDescriptor socket(::socket(
      address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol));
  if (!socket.valid()) return std::unexpected(errno);
  const int on = 1;
  const int off = 0;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.ai_family == AF_INET6) {
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  }
  if (::bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      ::listen(socket.get(), kBacklog) != 0) {
    return std::unexpected(errno);
  }
  return socket;
}

std::expected<FileDescriptor, std::string> open_host(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (failed != 0) return std::unexpected(std::string(::gai_strerror(failed)));
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
  int error = EADDRNOTAVAIL;
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    auto socket = bind_to(*each);
    if (socket) return std::move(*socket);
    error = socket.error();
  }
  return std::unexpected(describe(error));
}

bool has_ipv6() {
  const FileDescriptor socket(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return false;
  sockaddr_in6 any{};
  any.sin6_family = AF_INET6;
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0;
}

}  // namespace

std::expected<FileDescriptor, std::string> open_listener(const Address& address) {
  const bool every = address.host.empty() || address.host == "::";
  const std::string host = !every ? address.host : has_ipv6() ? "::" : "0.0.0.0";
  auto socket = open_host(host, address.port);
  if (socket) return socket;
  return std::unexpected("cannot listen on " + to_string(address) + ": " + socket.error());
}

std::uint16_t local_port(const FileDescriptor& socket) noexcept {
  sockaddr_storage local{};
  socklen_t size = sizeof local;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&local), &size);
  // The port stands at the same place for both families.
  sockaddr_in ipv4{};
  std::memcpy(&ipv4, &local, sizeof ipv4);
  return ntohs(ipv4.sin_port);
}

std::string peer_name(const sockaddr_storage& peer) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  Address address;
  if (peer.ss_family == AF_INET6) {
    sockaddr_in6 ipv6{};
    std::memcpy(&ipv6, &peer, sizeof ipv6);
    ::inet_ntop(AF_INET6, &ipv6.sin6_addr, text.data(), text.size());
    address.port = ntohs(ipv6.sin6_port);
  } else if (peer.ss_family == AF_INET) {
    sockaddr_in ipv4{};
    std::memcpy(&ipv4, &peer, sizeof ipv4);
    ::inet_ntop(AF_INET, &ipv4.sin_addr, text.data(), text.size());
    address.port = ntohs(ipv4.sin_port);
  }
  constexpr std::string_view kMapped = "::ffff:";
  address.host = text.data();
  if (address.host.starts_with(kMapped) && address.host.find('.') != std::string::npos) {
    address.host.erase(0, kMapped.size());
  }
  return to_string(address);
}

}  // namespace http
