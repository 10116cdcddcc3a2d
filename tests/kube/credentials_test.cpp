#include "kube/credentials.h"

#include "tests/support/catch.h"

namespace {

kube::Credentials read(const std::string& url) {
  kube::Credentials credentials;
  const auto done = kube::read_server(url, credentials);
  INFO(url);
  REQUIRE(done);
  return credentials;
}

std::string error_of(const std::string& url) {
  kube::Credentials credentials;
  const auto done = kube::read_server(url, credentials);
  return done ? "" : done.error();
}

}  // namespace

TEST_CASE("A server's URL is taken apart", "[kube][credentials]") {
  const auto plain = read("https://api.example:6443");
  CHECK(plain.tls);
  CHECK(plain.host == "api.example");
  CHECK(plain.port == 6443);
  CHECK(plain.prefix.empty());

  const auto prefixed = read("https://rancher.example/k8s/clusters/c-1/");
  CHECK(prefixed.port == 443);
  CHECK(prefixed.prefix == "/k8s/clusters/c-1");

  const auto ipv6 = read("https://[fd00::1]:6443/");
  CHECK(ipv6.host == "fd00::1");
  CHECK(ipv6.port == 6443);

  const auto proxy = read("http://127.0.0.1:8001");
  CHECK_FALSE(proxy.tls);
  CHECK(proxy.port == 8001);
  CHECK(read("http://127.0.0.1").port == 80);
}

TEST_CASE("What is no URL of a server is refused with the mend", "[kube][credentials]") {
  CHECK(error_of("api.example:6443") ==
        "'api.example:6443' is no URL of an API server: write https://HOST:PORT");
  CHECK(error_of("https://:6443") == "'https://:6443' names no host: write https://HOST:PORT");
  CHECK(error_of("https://[fd00::1") ==
        "'https://[fd00::1' has no ] behind its address: write https://HOST:PORT");
  for (const char* const url :
       {"https://a:0", "https://a:65536", "https://a:x", "https://a:", "https://[::1]x"}) {
    CHECK(error_of(url) ==
          "'" + std::string(url) + "' has no port from 1 to 65535: write https://HOST:PORT");
  }
}
