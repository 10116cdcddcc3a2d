#include <string>

#include "http/pem.h"
#include "tests/http/running_server.h"
#include "tests/support/catch.h"
#include "tests/support/http_client.h"

namespace {

using http_test::RunningServer;
using support::CertificateSpec;
using support::HttpClient;
using support::Reply;
using support::TestPair;
using support::TlsOptions;

const std::string kHello = HttpClient::request("GET", "/hello");

CertificateSpec client_spec(std::string common_name, std::string names = {}) {
  CertificateSpec spec;
  spec.common_name = std::move(common_name);
  spec.names = std::move(names);
  spec.extended_key_usage = "clientAuth";
  return spec;
}

TlsOptions as(const TestPair& pair) {
  return {.ca = {},
          .host = "localhost",
          .min_version = 0,
          .max_version = 0,
          .ciphers = {},
          .alpn = {},
          .certificate = pair.certificate_pem(),
          .key = pair.key_pem()};
}

/// A server that asks for certificates of `authority`.
http::ServerOptions options_for(const TestPair& authority) {
  const support::TemporaryDirectory directory;
  http_test::identity().pair.write_to(directory.path());
  const auto file = directory.write("ca.crt", authority.certificate_pem());
  const auto certificate =
      http::Certificate::load(directory.path(), std::chrono::system_clock::now()).value();
  const auto authorities = http::read_certificates(file, http::read_pem_file(file).value()).value();
  auto context = http::make_tls_context(certificate, authorities).value();
  http::ServerOptions options = http_test::echo_options();
  options.tls = [context] { return context; };
  return options;
}

/// The reply to a client that may fail in the handshake or, with TLS 1.3, behind it.
Reply ask(const RunningServer& server, const TlsOptions& options) {
  try {
    HttpClient client(server.port(), options);
    return client.exchange(kHello);
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace

TEST_CASE("Only clients of the authority get through", "[http][client_certificate]") {
  const TestPair authority = TestPair::authority("clients");
  const RunningServer server(options_for(authority));
  CHECK(ask(server, as(authority.issue(client_spec("apiserver")))).status == 200);
  CHECK_FALSE(ask(server, TlsOptions{}).whole());
  CHECK(server.event_message(http::Event::Kind::handshake_failed) ==
        "the TLS handshake failed: peer did not return a certificate");
  const TestPair other = TestPair::authority("others");
  CHECK_FALSE(ask(server, as(other.issue(client_spec("apiserver")))).whole());
  CertificateSpec server_only = client_spec("apiserver");
  server_only.extended_key_usage = "serverAuth";
  CHECK_FALSE(ask(server, as(authority.issue(server_only))).whole());
}

TEST_CASE("Only clients of an allowed name are answered", "[http][client_certificate]") {
  const TestPair authority = TestPair::authority("clients");
  http::ServerOptions options = options_for(authority);
  options.client_names = {"apiserver", "front-proxy.example.com"};
  const RunningServer server(std::move(options));
  CHECK(ask(server, as(authority.issue(client_spec("apiserver")))).status == 200);
  CHECK(ask(server,
            as(authority.issue(client_spec("x", "DNS:a.example.com,DNS:front-proxy.example.com"))))
            .status == 200);
  const Reply refused = ask(server, as(authority.issue(client_spec("mallory"))));
  CHECK(refused.status == 403);
  CHECK(refused.body == "the client certificate is that of mallory, which is not allowed to ask\n");
  // An IP address is no name.
  CHECK(ask(server, as(authority.issue(client_spec("x", "IP:127.0.0.1")))).status == 403);
}
