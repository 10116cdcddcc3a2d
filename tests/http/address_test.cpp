#include "http/address.h"

#include <cstring>
#include <string>
#include <tuple>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "http/listener.h"
#include "tests/support/catch.h"

TEST_CASE("Addresses are read", "[http][address]") {
  const auto [text, host, port] = GENERATE(table<std::string, std::string, int>({
      {"127.0.0.1:8443", "127.0.0.1", 8443},
      {"localhost:0", "localhost", 0},
      {":8443", "", 8443},
      {"[::]:8443", "::", 8443},
      {"[fe80::1%eth0]:65535", "fe80::1%eth0", 65535},
  }));
  CAPTURE(text);
  const auto address = http::parse_address(text);
  REQUIRE(address.has_value());
  CHECK(address->host == host);
  CHECK(address->port == port);
  CHECK(http::to_string(*address) == text);
}

TEST_CASE("What is no address is refused with a mend", "[http][address]") {
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {"", "it has no port"},
      {"8443", "it has no port"},
      {"localhost:", "its port is no number from 0 to 65535"},
      {"localhost:http", "its port is no number from 0 to 65535"},
      {"localhost:65536", "its port is no number from 0 to 65535"},
      {"localhost:-1", "its port is no number from 0 to 65535"},
      {"localhost:80 ", "its port is no number from 0 to 65535"},
      {"::1:8443", "an IPv6 address needs brackets"},
      {"[localhost]:80", "only IPv6 addresses have brackets"},
      {"[]:80", "its host is malformed"},
      {"https://webhook:80", "an IPv6 address needs brackets"},
      {"web hook:80", "its host is malformed"},
  }));
  CAPTURE(text);
  const auto address = http::parse_address(text);
  REQUIRE_FALSE(address.has_value());
  CHECK(address.error() == "\"" + text + "\" is not an address to listen on: " + why +
                               "; write HOST:PORT, [IPV6]:PORT or :PORT");
}

TEST_CASE("An address in use is an error that names it", "[http][listener]") {
  const auto first = http::open_listener({"127.0.0.1", 0});
  REQUIRE(first.has_value());
  const auto port = http::local_port(*first);
  CHECK(port > 0);
  const auto second = http::open_listener({"127.0.0.1", port});
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error() == "cannot listen on 127.0.0.1:" + std::to_string(port) +
                              ": Address already in use; stop the program that has it, or choose "
                              "another port");
}

TEST_CASE("An address of another machine is an error", "[http][listener]") {
  const auto listener = http::open_listener({"192.0.2.1", 0});
  REQUIRE_FALSE(listener.has_value());
  CHECK(listener.error() ==
        "cannot listen on 192.0.2.1:0: Cannot assign requested address; no interface of this "
        "machine has that address");
}

TEST_CASE("Peers are named by address and port", "[http][listener]") {
  const auto [family, text, name] = GENERATE(table<int, std::string, std::string>({
      {AF_INET, "192.0.2.1", "192.0.2.1:40000"},
      {AF_INET6, "2001:db8::1", "[2001:db8::1]:40000"},
      {AF_INET6, "::ffff:192.0.2.1", "192.0.2.1:40000"},
  }));
  sockaddr_storage peer{};
  if (family == AF_INET) {
    sockaddr_in ipv4{};
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(40000);
    REQUIRE(::inet_pton(family, text.c_str(), &ipv4.sin_addr) == 1);
    std::memcpy(&peer, &ipv4, sizeof ipv4);
  } else {
    sockaddr_in6 ipv6{};
    ipv6.sin6_family = AF_INET6;
    ipv6.sin6_port = htons(40000);
    REQUIRE(::inet_pton(family, text.c_str(), &ipv6.sin6_addr) == 1);
    std::memcpy(&peer, &ipv6, sizeof ipv6);
  }
  CHECK(http::peer_name(peer) == name);
}
