#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include <sys/socket.h>

#include "http/address.h"
#include "http/file_descriptor.h"

namespace http {

/// A non-blocking TCP socket that listens on `address`, with a backlog of 1024. Without a host,
/// or with `::`, it takes IPv4 and IPv6, or IPv4 alone where there is no IPv6. The error is a
/// sentence that names the address.
[[nodiscard]] std::expected<FileDescriptor, std::string> open_listener(const Address& address);

/// The port that a socket is bound to.
[[nodiscard]] std::uint16_t local_port(const FileDescriptor& socket) noexcept;

/// "192.0.2.1:40000" or "[2001:db8::1]:40000"; IPv4 peers of an IPv6 socket as IPv4.
[[nodiscard]] std::string peer_name(const sockaddr_storage& peer);

}  // namespace http
