#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace http {

/// Where a server listens.
struct Address {
  std::string host;        ///< name or number, IPv6 without brackets; empty: every address
  std::uint16_t port = 0;  ///< 0: any free one
};

/// Reads "HOST:PORT", "[::1]:PORT" or ":PORT"; the error says what to write instead.
[[nodiscard]] std::expected<Address, std::string> parse_address(std::string_view text);

/// "host:port", with brackets around IPv6 hosts.
[[nodiscard]] std::string to_string(const Address& address);

}  // namespace http
