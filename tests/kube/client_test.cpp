#include "kube/client.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <thread>

#include "tests/kube/api_server.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

namespace {

using kube_test::ApiServer;
using namespace std::chrono_literals;

std::unique_ptr<kube::Client> client_of(kube::Credentials credentials,
                                        kube::ClientOptions options = {}) {
  auto made = kube::Client::make(std::move(credentials), std::move(options));
  if (!made) FAIL(made.error());
  return std::move(*made);
}

void answer_empty(const httplib::Request&, httplib::Response& response) {
  response.set_content("{}", "application/json");
}

/// Answers with these chunks.
ApiServer::Handler chunks(std::vector<std::string> texts) {
  return [texts = std::move(texts)](const httplib::Request&, httplib::Response& response) {
    response.set_chunked_content_provider("application/json",
                                          [texts](std::size_t, httplib::DataSink& sink) {
                                            for (const std::string& text : texts)
                                              sink.write(text.data(), text.size());
                                            sink.done();
                                            return true;
                                          });
  };
}

/// Answers with one line, and says nothing more until `ends`.
ApiServer::Handler silent_after_a_line(const std::atomic<bool>& ends) {
  return [&ends](const httplib::Request&, httplib::Response& response) {
    response.set_chunked_content_provider("application/json",
                                          [&ends](std::size_t, httplib::DataSink& sink) {
                                            sink.write("one\n", 4);
                                            while (!ends) std::this_thread::sleep_for(5ms);
                                            sink.done();
                                            return true;
                                          });
  };
}

}  // namespace

TEST_CASE("A call is sent over TLS with its token, and its answer handed on", "[kube][client]") {
  const ApiServer server(answer_empty);
  auto credentials = server.credentials();
  credentials.token = "abc";
  credentials.prefix = "/k8s/c-1";
  const auto client = client_of(credentials, {.user_agent = "tfjob-enforcer/1"});

  const auto answer = client->send({.method = "PATCH",
                                    .path = "/api/v1/pods?fieldManager=a%2Fb",
                                    .body = R"({"a":1})",
                                    .content_type = std::string(kube::kMergePatch)});
  REQUIRE(answer);
  CHECK(*answer == "{}");
  const auto requests = server.requests();
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].method == "PATCH");
  CHECK(requests[0].target == "/k8s/c-1/api/v1/pods?fieldManager=a%2Fb");
  CHECK(requests[0].body == R"({"a":1})");
  CHECK(requests[0].get_header_value("Content-Type") == "application/merge-patch+json");
  CHECK(requests[0].get_header_value("Authorization") == "Bearer abc");
  CHECK(requests[0].get_header_value("Accept") == "application/json");
  CHECK(requests[0].get_header_value("User-Agent") == "tfjob-enforcer/1");
}

TEST_CASE("A DELETE carries its options", "[kube][client]") {
  const ApiServer server(answer_empty);
  const auto client = client_of(server.credentials());
  REQUIRE(client->send({.method = "DELETE", .path = "/p", .body = R"({"kind":"DeleteOptions"})"}));
  CHECK(server.requests()[0].body == R"({"kind":"DeleteOptions"})");
}

TEST_CASE("Connections are used again, and calls made at once do not wait for each other",
          "[kube][client]") {
  std::atomic<int> inside = 0;
  std::atomic<bool> at_once = false;
  const ApiServer server([&](const httplib::Request&, httplib::Response& response) {
    if (++inside == 2) at_once = true;
    std::this_thread::sleep_for(200ms);
    --inside;
    response.set_content("{}", "application/json");
  });
  const auto client = client_of(server.credentials());
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(2);
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 3; ++j) {
          if (client->send({.path = "/p"})) ++answered;
        }
      });
    }
  }
  CHECK(answered == 6);
  CHECK(at_once);
  std::set<int> ports;
  for (const auto& request : server.requests()) ports.insert(request.remote_port);
  CHECK(ports.size() <= 2);
}

TEST_CASE("Basic authentication is sent where there is no token", "[kube][client]") {
  const ApiServer server(answer_empty);
  auto credentials = server.credentials();
  credentials.username = "u";
  credentials.password = "p";
  REQUIRE(client_of(credentials)->send({.path = "/p"}));
  CHECK(server.requests()[0].get_header_value("Authorization") == "Basic dTpw");
}

TEST_CASE("A refusal is an error in the server's words, with its wish to wait", "[kube][client]") {
  const ApiServer server([](const httplib::Request&, httplib::Response& response) {
    response.status = 429;
    response.set_header("Retry-After", "7");
    response.set_content(R"({"reason":"TooManyRequests","message":"slow down"})",
                         "application/json");
  });
  const auto answer = client_of(server.credentials())->send({.path = "/p"});
  REQUIRE_FALSE(answer);
  CHECK(kube::to_string(answer.error()) == "429 TooManyRequests: slow down");
  CHECK(answer.error().retry_after == 7s);
  CHECK(server.requests().size() == 1);
}

TEST_CASE("A server that nobody vouches for is not spoken to", "[kube][client]") {
  const ApiServer server(answer_empty);
  auto credentials = server.credentials();
  credentials.ca = support::TestPair::authority("another").certificate_pem();
  const auto answer = client_of(credentials)->send({.path = "/p"});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().status == 0);
  CHECK(answer.error().message == "API server 127.0.0.1:" + std::to_string(credentials.port) +
                                      ": its certificate is not trusted");
  CHECK(server.requests().empty());

  credentials.verify = false;
  CHECK(client_of(credentials)->send({.path = "/p"}));
}

TEST_CASE("The name in the certificate is checked", "[kube][client]") {
  const ApiServer server(answer_empty);
  auto credentials = server.credentials();
  credentials.server_name = "localhost";
  CHECK(client_of(credentials)->send({.path = "/p"}));
  credentials.server_name = "kubernetes";
  CHECK_FALSE(client_of(credentials)->send({.path = "/p"}));
}

TEST_CASE("A client certificate lets in", "[kube][client]") {
  const ApiServer server(answer_empty, true);
  auto credentials = server.credentials();
  CHECK_FALSE(client_of(credentials)->send({.path = "/p"}));
  support::CertificateSpec spec;
  spec.extended_key_usage = "clientAuth";
  const auto pair = server.authority().issue(spec);
  credentials.certificate = pair.certificate_pem();
  credentials.key = pair.key_pem();
  CHECK(client_of(credentials)->send({.path = "/p"}));
}

TEST_CASE("Certificates that cannot be read are refused at once", "[kube][client]") {
  kube::Credentials credentials;
  credentials.host = "a";
  credentials.ca = "no PEM";
  const auto no_ca = kube::Client::make(credentials, {});
  REQUIRE_FALSE(no_ca);
  CHECK(no_ca.error().find("the certificate authority") != std::string::npos);
  credentials.ca.clear();
  const auto pair = support::TestPair::authority();
  credentials.certificate = pair.certificate_pem();
  credentials.key = "no PEM";
  const auto no_key = kube::Client::make(credentials, {});
  REQUIRE_FALSE(no_key);
  CHECK(no_key.error().starts_with("the client key cannot be read: "));
}

TEST_CASE("Where nobody listens there is no status", "[kube][client]") {
  kube::Credentials credentials;
  credentials.host = "127.0.0.1";
  credentials.port = 1;
  const auto answer = client_of(credentials)->send({.path = "/p"});
  REQUIRE_FALSE(answer);
  CHECK(kube::to_string(answer.error()) == "API server 127.0.0.1:1: no connection");
}

TEST_CASE("A rotated token is used as soon as the old one is refused", "[kube][client]") {
  const support::TemporaryDirectory folder;
  const ApiServer server([](const httplib::Request& request, httplib::Response& response) {
    response.status = request.get_header_value("Authorization") == "Bearer new" ? 200 : 401;
    response.set_content("{}", "application/json");
  });
  auto credentials = server.credentials();
  credentials.token_file = folder.write("token", "old");
  const auto client = client_of(credentials);
  const auto refused = client->send({.path = "/p"});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().status == 401);
  folder.write("token", "new");
  CHECK(client->send({.method = "POST", .path = "/p", .body = "{}"}));
}

TEST_CASE("Calls keep to the rate", "[kube][client]") {
  const ApiServer server(answer_empty);
  const auto client = client_of(server.credentials(), {.per_second = 10, .burst = 1});
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 4; ++i) CHECK(client->send({.path = "/p"}));
  CHECK(std::chrono::steady_clock::now() - began >= 300ms);
}

TEST_CASE("A stream is handed on line by line, however it is cut", "[kube][client]") {
  const ApiServer server(chunks({"one\ntw", "o\n", "\nthr", "ee", "\nrest"}));
  std::vector<std::string> lines;
  const auto done = client_of(server.credentials())
                        ->stream("/p?watch=true",
                                 [&](std::string_view line) {
                                   lines.emplace_back(line);
                                   return true;
                                 },
                                 {});
  CHECK(done);
  CHECK(lines == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("A stream ends where its reader has enough", "[kube][client]") {
  const ApiServer server(chunks({"one\ntwo\nthree\n"}));
  int lines = 0;
  CHECK(client_of(server.credentials())
            ->stream("/p", [&](std::string_view) { return ++lines < 2; }, {}));
  CHECK(lines == 2);
}

TEST_CASE("A refused stream is an error in the server's words", "[kube][client]") {
  const ApiServer server([](const httplib::Request&, httplib::Response& response) {
    response.status = 410;
    response.set_content(R"({"reason":"Expired","message":"too old"})", "application/json");
  });
  const auto done =
      client_of(server.credentials())->stream("/p", [](std::string_view) { return true; }, {});
  REQUIRE_FALSE(done);
  CHECK(kube::to_string(done.error()) == "410 Expired: too old");
}

TEST_CASE("A silent stream ends at once when a stop is asked for", "[kube][client]") {
  std::atomic<bool> ends = false;
  const ApiServer server(silent_after_a_line(ends));
  const auto client = client_of(server.credentials());
  std::stop_source stop;
  std::atomic<bool> got = false;
  std::expected<void, kube::Error> done = std::unexpected(kube::Error{});
  std::thread reader([&] {
    done = client->stream(
        "/p",
        [&](std::string_view) {
          got = true;
          return true;
        },
        stop.get_token());
  });
  while (!got) std::this_thread::sleep_for(1ms);
  const auto asked = std::chrono::steady_clock::now();
  stop.request_stop();
  reader.join();
  CHECK(std::chrono::steady_clock::now() - asked < 2s);
  CHECK(done);
  ends = true;
}

TEST_CASE("A stream that is silent for too long is an error", "[kube][client]") {
  std::atomic<bool> ends = false;
  const ApiServer server(silent_after_a_line(ends));
  const auto done = client_of(server.credentials(), {.stream_timeout = 200ms})
                        ->stream("/p", [](std::string_view) { return true; }, {});
  ends = true;
  REQUIRE_FALSE(done);
  CHECK(done.error().status == 0);
}
