#include "http/address.h"

#include <charconv>
#include <memory>
#include <system_error>

namespace http {

std::expected<Address, std::string> parse_address(std::string_view text) {
  const auto wrong = [text](std::string_view why) {
    return std::unexpected("\"" + std::string(text) + "\" is not an address to listen on: " +
                           std::string(why) + "; write HOST:PORT, [IPV6]:PORT or :PORT");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong("it has no port");
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);

  Address address;
  const char* const end = std::to_address(port.end());
  const auto [rest, error] = std::from_chars(std::to_address(port.begin()), end, address.port);
  if (error != std::errc{} || rest != end) return wrong("its port is no number from 0 to 65535");

  if (host.starts_with('[') && host.ends_with(']') && host.size() > 2) {
    host = host.substr(1, host.size() - 2);
    if (host.find(':') == std::string_view::npos) return wrong("only IPv6 addresses have brackets");
  } else if (host.find(':') != std::string_view::npos) {
    return wrong("an IPv6 address needs brackets");
  }
  if (host.find_first_of("[]/ ") != std::string_view::npos) return wrong("its host is malformed");
  address.host = host;
  return address;
}

std::string to_string(const Address& address) {
  const bool ipv6 = address.host.find(':') != std::string::npos;
  return (ipv6 ? "[" + address.host + "]" : address.host) + ':' + std::to_string(address.port);
}

}  // namespace http
