#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <openssl/ssl.h>

#include "http/server.h"
#include "tests/http/running_server.h"
#include "tests/support/catch.h"
#include "tests/support/http_client.h"

namespace {

using http_test::identity;
using http_test::RunningServer;
using http_test::tls_echo_options;
using support::HttpClient;
using support::TlsOptions;

bool works(HttpClient& client) {
  const auto reply = client.exchange(HttpClient::request("GET", "/hello"));
  return reply.status == 200;
}

bool accepted(const RunningServer& server, const TlsOptions& options) {
  try {
    HttpClient client(server.port(), options);
    return works(client);
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("TLS 1.2 and 1.3 are spoken, older versions are not", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  TlsOptions options;
  options.max_version = TLS1_3_VERSION;
  HttpClient newest(server.port(), options);
  CHECK(newest.tls_version() == "TLSv1.3");
  CHECK(works(newest));
  options.max_version = TLS1_2_VERSION;
  HttpClient older(server.port(), options);
  CHECK(older.tls_version() == "TLSv1.2");
  CHECK(works(older));
  options.max_version = TLS1_1_VERSION;
  options.ciphers = "ALL:@SECLEVEL=0";
  CHECK_FALSE(accepted(server, options));
  CHECK(server.event_message(http::Event::Kind::handshake_failed) ==
        "the TLS handshake failed: unsupported protocol");
}

TEST_CASE("In TLS 1.2 only AEAD ciphers are taken", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  TlsOptions options;
  options.max_version = TLS1_2_VERSION;
  options.ciphers = "ECDHE-ECDSA-CHACHA20-POLY1305";
  CHECK(accepted(server, options));
  options.ciphers = "ECDHE-ECDSA-AES256-GCM-SHA384";
  CHECK(accepted(server, options));
  options.ciphers = "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384";
  CHECK_FALSE(accepted(server, options));
  CHECK(server.event_message(http::Event::Kind::handshake_failed) ==
        "the TLS handshake failed: no shared cipher");
}

TEST_CASE("A client verifies the certificate and its names", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  TlsOptions options;
  options.ca = identity().authority.certificate_pem();
  CHECK(accepted(server, options));
  options.host = "elsewhere";
  CHECK_FALSE(accepted(server, options));
}

TEST_CASE("ALPN settles on http/1.1 or on nothing", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  TlsOptions options;
  CHECK(HttpClient(server.port(), options).alpn().empty());
  options.alpn = "http/1.1";
  CHECK(HttpClient(server.port(), options).alpn() == "http/1.1");
  options.alpn = "h2";
  CHECK_FALSE(accepted(server, options));
}

TEST_CASE("Sessions are not resumed", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  TlsOptions options;
  options.max_version = TLS1_2_VERSION;
  HttpClient client(server.port(), options);
  REQUIRE(works(client));
  SSL_SESSION* const session = SSL_get0_session(client.ssl());
  CHECK(SSL_SESSION_has_ticket(session) == 0);
  unsigned int size = 0;
  SSL_SESSION_get_id(session, &size);
  CHECK(size == 0);
}

TEST_CASE("Renegotiation is refused", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  TlsOptions options;
  options.max_version = TLS1_2_VERSION;
  HttpClient client(server.port(), options);
  REQUIRE(works(client));
  SSL_renegotiate(client.ssl());
  CHECK(SSL_do_handshake(client.ssl()) != 1);
}

TEST_CASE("Plain HTTP on the TLS port is told so", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port());
  const auto reply = client.exchange(HttpClient::request("GET", "/hello"));
  REQUIRE(reply.whole());
  CHECK(reply.status == 400);
  CHECK(reply.body == "this port speaks HTTPS; write https:// instead of http://\n");
  CHECK(client.ended());
  CHECK(server.event_message(http::Event::Kind::handshake_failed) ==
        "the client speaks plain HTTP; this port takes https:// only");
}

TEST_CASE("TLS on a plain port is 400", "[http][tls]") {
  const RunningServer server(http_test::echo_options());
  CHECK_FALSE(accepted(server, {}));
  CHECK(server.event_message(http::Event::Kind::refused) ==
        "the request line does not begin with a method; is it plain HTTP that you speak?");
}

TEST_CASE("Garbage on the TLS port harms no neighbour", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  HttpClient good(server.port(), TlsOptions{});
  for (int i = 0; i < 30; ++i) {
    HttpClient bad(server.port());
    CHECK(bad.send(i % 2 == 0 ? "\x16\x03\x01\xff\xff garbage" : std::string(300, '\xff')));
    bad.finish_sending();
    CHECK(works(good));
  }
}

TEST_CASE("A peer that connects and goes away is no event", "[http][tls]") {
  const RunningServer server(tls_echo_options());
  {
    const HttpClient probe(server.port());
  }
  HttpClient silent(server.port());
  silent.finish_sending();
  CHECK(RunningServer::eventually([&] { return server.server().connections() == 0; }));
  CHECK(server.events().empty());
}

TEST_CASE("A handshake that is not finished in time is given up", "[http][tls]") {
  http::ServerOptions options = tls_echo_options();
  options.limits.request_time = std::chrono::milliseconds(100);
  const RunningServer server(std::move(options));
  HttpClient client(server.port());
  REQUIRE(client.send("\x16"));
  CHECK(server.event_message(http::Event::Kind::handshake_failed) ==
        "the TLS handshake was not finished in time");
}

TEST_CASE("A new connection gets the certificate of its moment", "[http][tls]") {
  const support::TestPair other = support::TestPair({});
  const auto first = http_test::context_of(identity().pair);
  const auto second = http_test::context_of(other);
  std::atomic<int> phase{0};
  http::ServerOptions options = http_test::echo_options();
  options.tls = [&]() -> std::shared_ptr<SSL_CTX> {
    const int now = phase;
    if (now == 0) return nullptr;
    return now == 1 ? first : second;
  };
  const RunningServer server(std::move(options));
  TlsOptions trust_first;
  trust_first.ca = identity().authority.certificate_pem();
  TlsOptions trust_second;
  trust_second.ca = other.certificate_pem();

  CHECK_FALSE(accepted(server, trust_first));
  CHECK(server.event_message(http::Event::Kind::handshake_failed) == "there is no certificate yet");
  phase = 1;
  HttpClient kept(server.port(), trust_first);
  CHECK(works(kept));
  phase = 2;
  CHECK(accepted(server, trust_second));
  CHECK_FALSE(accepted(server, trust_first));
  CHECK(works(kept));
}
