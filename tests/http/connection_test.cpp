#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>

#include "http/server.h"
#include "tests/http/running_server.h"
#include "tests/support/catch.h"
#include "tests/support/http_client.h"

namespace {

using http_test::echo_options;
using http_test::RunningServer;
using http_test::tls_echo_options;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using support::HttpClient;

// One over TLS and one plain: what is said of connections holds for both.
std::unique_ptr<HttpClient> connect(const RunningServer& server, bool tls) {
  return tls ? std::make_unique<HttpClient>(server.port(), support::TlsOptions{})
             : std::make_unique<HttpClient>(server.port());
}

http::ServerOptions options_for(bool tls) { return tls ? tls_echo_options() : echo_options(); }

}  // namespace

TEST_CASE("A connection is kept for 50 requests and more", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(options_for(tls));
  const auto client = connect(server, tls);
  for (int i = 0; i < 50; ++i) {
    const auto reply = client->exchange(HttpClient::request("POST", "/echo", std::to_string(i)));
    REQUIRE(reply.whole());
    CHECK(reply.body == std::to_string(i));
  }
}

TEST_CASE("Pipelined requests are answered in order", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(options_for(tls));
  const auto client = connect(server, tls);
  std::string requests;
  for (int i = 0; i < 200; ++i) {
    const std::string body = std::to_string(i) + std::string(static_cast<std::size_t>(i) * 7, '.');
    requests += HttpClient::request("POST", "/echo", body);
    if (i % 3 == 0) requests += "\r\n";
  }
  REQUIRE(client->send(requests));
  for (int i = 0; i < 200; ++i) {
    const auto reply = client->read_reply();
    REQUIRE(reply.whole());
    CHECK(reply.body.substr(0, reply.body.find('.')) == std::to_string(i));
  }
  CHECK(client->open_after(milliseconds(0)));
}

TEST_CASE("The last of pipelined requests may be refused", "[http][connection]") {
  const RunningServer server(echo_options());
  HttpClient client(server.port());
  REQUIRE(client.send(HttpClient::request("GET", "/hello") + HttpClient::request("GET", "/none") +
                      HttpClient::request("GET", "/hello")));
  CHECK(client.read_reply().status == 200);
  CHECK(client.read_reply().status == 404);
  CHECK(client.ended());
}

TEST_CASE("A client that says close is closed after its reply", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(options_for(tls));
  const auto client = connect(server, tls);
  const auto reply =
      client->exchange(HttpClient::request("GET", "/hello", "", "Connection: close\r\n"));
  REQUIRE(reply.whole());
  CHECK(reply.status == 200);
  CHECK(reply.header("connection") == "close");
  CHECK(client->ended());
}

TEST_CASE("HTTP/1.0 is closed, unless it asks for the connection", "[http][connection]") {
  const RunningServer server(echo_options());
  HttpClient plain(server.port());
  CHECK(plain.exchange("GET /hello HTTP/1.0\r\n\r\n").header("connection") == "close");
  CHECK(plain.ended());
  HttpClient kept(server.port());
  for (int i = 0; i < 2; ++i) {
    const auto reply = kept.exchange("GET /hello HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
    REQUIRE(reply.whole());
    CHECK(reply.header("connection") == "keep-alive");
    CHECK(reply.body == "hello\n");
  }
}

TEST_CASE("100-continue is answered as soon as the head is accepted", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(options_for(tls));
  const auto client = connect(server, tls);
  const std::string request =
      HttpClient::request("POST", "/echo", "{\"a\":1}", "Expect: 100-continue\r\n");
  const std::size_t head = request.find("\r\n\r\n") + 4;
  REQUIRE(client->send(request.substr(0, head)));
  CHECK(client->read_continue());
  REQUIRE(client->send(request.substr(head)));
  CHECK(client->read_reply().body == "{\"a\":1}");
}

TEST_CASE("100-continue is not answered where the body is there or the head refused",
          "[http][connection]") {
  const RunningServer server(echo_options());
  HttpClient whole(server.port());
  const std::string fields = "Expect: 100-continue\r\n";
  CHECK(whole.exchange(HttpClient::request("POST", "/echo", "{}", fields)).status == 200);
  CHECK(whole.continues() == 0);
  HttpClient refused(server.port());
  CHECK(refused.exchange(HttpClient::request("POST", "/none", "", fields)).status == 404);
  CHECK(refused.continues() == 0);
}

TEST_CASE("A head that comes byte by byte is read", "[http][connection]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), support::TlsOptions{});
  REQUIRE(client.send_slowly(HttpClient::request("POST", "/echo", "{}"), milliseconds(1)));
  CHECK(client.read_reply().body == "{}");
}

TEST_CASE("A request that is not sent in time is 408", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const auto [part, message] = GENERATE(table<std::string, std::string>({
      {"GET /hello HT", "the request did not come whole in time\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
       "Content-Length: 5\r\n\r\n12",
       "the request did not come whole in time\n"},
  }));
  http::ServerOptions options = options_for(tls);
  options.limits.request_time = milliseconds(150);
  const RunningServer server(std::move(options));
  const auto client = connect(server, tls);
  const auto begin = steady_clock::now();
  const auto reply = client->exchange(part);
  REQUIRE(reply.whole());
  CHECK(reply.status == 408);
  CHECK(reply.body == message);
  CHECK(steady_clock::now() - begin >= milliseconds(140));
  CHECK(client->ended());
}

TEST_CASE("Bytes that trickle in do not extend the time for a request", "[http][connection]") {
  http::ServerOptions options = echo_options();
  options.limits.request_time = milliseconds(150);
  const RunningServer server(std::move(options));
  HttpClient client(server.port());
  const auto begin = steady_clock::now();
  const std::jthread sender(
      [&client] { client.send_slowly(HttpClient::request("GET", "/hello"), milliseconds(10)); });
  const auto reply = client.read_reply();
  REQUIRE(reply.whole());
  CHECK(reply.status == 408);
  CHECK(steady_clock::now() - begin < milliseconds(900));
}

TEST_CASE("A connection that is idle for too long is closed in order", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const bool used = GENERATE(true, false);
  http::ServerOptions options = options_for(tls);
  options.limits.keep_alive = milliseconds(200);
  const RunningServer server(std::move(options));
  const auto client = connect(server, tls);
  if (used) {
    CHECK(client->exchange(HttpClient::request("GET", "/hello")).status == 200);
  }
  CHECK(client->ended());
  CHECK(server.events().empty());
}

TEST_CASE("A client that ends its side gets its reply", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(options_for(tls));
  const auto client = connect(server, tls);
  REQUIRE(client->send(HttpClient::request("POST", "/echo", "{}")));
  client->finish_sending();
  CHECK(client->read_reply().body == "{}");
  CHECK(client->ended());
}

TEST_CASE("A request that ends half way is 400", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(options_for(tls));
  const auto client = connect(server, tls);
  REQUIRE(
      client->send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                   "Content-Length: 5\r\n\r\n12"));
  client->finish_sending();
  const auto reply = client->read_reply();
  REQUIRE(reply.whole());
  CHECK(reply.status == 400);
  CHECK(reply.body == "the connection ended before the request was whole\n");
  CHECK(client->ended());
}

TEST_CASE("A connection of some age is closed after a reply", "[http][connection]") {
  http::ServerOptions options = tls_echo_options();
  options.limits.max_connection_age = milliseconds(200);
  const RunningServer server(std::move(options));
  HttpClient client(server.port(), support::TlsOptions{});
  CHECK(client.exchange(HttpClient::request("GET", "/hello")).header("connection").empty());
  CHECK(client.open_after(milliseconds(250)));
  CHECK(client.exchange(HttpClient::request("GET", "/hello")).header("connection") == "close");
  CHECK(client.ended());
}

TEST_CASE("A client that takes no reply is given up", "[http][connection]") {
  const bool tls = GENERATE(true, false);
  http::ServerOptions options = options_for(tls);
  options.limits.write_time = milliseconds(200);
  options.routes.push_back({"GET", "/large", "", [](const http::Request&) {
                              return http::Response{
                                  200, "text/plain", std::string(std::size_t{32} << 20, 'x'), {}};
                            }});
  const RunningServer server(std::move(options));
  const auto client = connect(server, tls);
  REQUIRE(client->send(HttpClient::request("GET", "/large")));
  CHECK(RunningServer::eventually([&] { return server.server().connections() == 1; }));
  CHECK(RunningServer::eventually([&] { return server.server().connections() == 0; }));
  CHECK_FALSE(client->read_reply().whole());
}

TEST_CASE("An idle connection costs no CPU", "[http][connection]") {
  const RunningServer server(tls_echo_options());
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(connect(server, true));
    REQUIRE(clients.back()->exchange(HttpClient::request("GET", "/hello")).whole());
  }
  const auto cpu = [] {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  };
  const auto before = cpu();
  std::this_thread::sleep_for(milliseconds(500));
  // 20 connections that looked every 10 ms would need 1000 turns of some 10 us at least.
  CHECK(cpu() - before < milliseconds(4));
}
