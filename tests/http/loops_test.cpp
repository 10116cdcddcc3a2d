// What event loops promise beyond single connections.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/http/running_server.h"
#include "tests/support/catch.h"
#include "tests/support/http_client.h"

namespace {

using http_test::echo_options;
using http_test::RunningServer;
using http_test::tls_echo_options;
using std::chrono::milliseconds;
using support::HttpClient;
using support::TlsOptions;

const std::string kGetHello = HttpClient::request("GET", "/hello");

std::unique_ptr<HttpClient> connect_to(const RunningServer& server, bool tls) {
  if (tls) return std::make_unique<HttpClient>(server.port(), TlsOptions{});
  return std::make_unique<HttpClient>(server.port());
}

/// The head of a POST whose body of `size` bytes does not come.
std::string head_of(std::size_t size) {
  return "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(size) + "\r\n\r\n";
}

}  // namespace

TEST_CASE("Connections are dealt to all loops", "[http][loops]") {
  http::ServerOptions options = tls_echo_options();
  options.loops = 2;
  const RunningServer server(std::move(options));
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 25; ++i) {
    clients.push_back(connect_to(server, true));
    CHECK(clients.back()->exchange(kGetHello).status == 200);
  }
  std::vector<std::size_t> counts = server.server().connections_by_loop();
  std::ranges::sort(counts);
  CHECK(counts == std::vector<std::size_t>{12, 13});
}

TEST_CASE("20,000 pipelined requests to a slow reader get 20,000 replies", "[http][loops]") {
  const bool tls = GENERATE(true, false);
  constexpr int kRequests = 20'000;
  http::ServerOptions options = tls ? tls_echo_options() : echo_options();
  options.limits.buffered = std::size_t{4} * 1024 * 1024;  // far less than all of it
  const RunningServer server(std::move(options));
  const auto client = connect_to(server, tls);
  std::string batch;
  for (int i = 0; i < 100; ++i)
    batch += HttpClient::request("POST", "/echo", std::string(500, 'x'));
  // A TLS session is for one thread at a time: what is not read while this sends piles up.
  std::thread sender;
  int replies = 0;
  if (tls) {
    for (int sent = 0; sent < kRequests; sent += 100) {
      REQUIRE(client->send(batch));
      // The reader keeps far behind, but the server's and the system's buffers are not endless.
      if (sent >= 2000) {
        for (int i = 0; i < 100; ++i) replies += client->read_reply().status == 200 ? 1 : 0;
      }
    }
  } else {
    sender = std::thread([&] {
      for (int sent = 0; sent < kRequests && client->send(batch); sent += 100) {
      }
    });
    std::this_thread::sleep_for(milliseconds(200));
  }
  while (replies < kRequests && client->read_reply().status == 200) ++replies;
  if (sender.joinable()) sender.join();
  CHECK(replies == kRequests);
  CHECK(server.events().empty());
}

TEST_CASE("A client that pipelines without a pause does not hold its neighbours up",
          "[http][loops]") {
  const bool tls = GENERATE(true, false);
  constexpr int kRequests = 250;  // no more than the server reads at once
  std::atomic<int> handled{0};
  http::ServerOptions options = tls ? tls_echo_options() : echo_options();
  options.loops = 1;
  options.routes.push_back({"GET", "/slow", "", [&handled](const http::Request&) {
                              std::this_thread::sleep_for(milliseconds(2));
                              ++handled;
                              return http::Response{200, "text/plain", "slow\n", {}};
                            }});
  const RunningServer server(std::move(options));
  const auto neighbour = connect_to(server, tls);
  CHECK(neighbour->exchange(kGetHello).status == 200);
  const auto greedy = connect_to(server, tls);
  std::string batch;
  for (int i = 0; i < kRequests; ++i) batch += HttpClient::request("GET", "/slow");
  REQUIRE(greedy->send(batch));
  REQUIRE(RunningServer::eventually([&] { return handled > 0; }));
  CHECK(neighbour->exchange(kGetHello).status == 200);
  CHECK(handled < kRequests / 2);
  for (int i = 0; i < kRequests; ++i) REQUIRE(greedy->read_reply().status == 200);
}

TEST_CASE("A full budget of bytes is 429, and others are served", "[http][loops]") {
  const bool tls = GENERATE(true, false);
  http::ServerOptions options = tls ? tls_echo_options() : echo_options();
  options.limits.buffered = std::size_t{1024} * 1024;
  const RunningServer server(std::move(options));
  const auto holder = connect_to(server, tls);
  REQUIRE(holder->send(head_of(1'000'000)));
  // A length that is only announced takes nothing from others.
  CHECK(connect_to(server, tls)
            ->exchange(HttpClient::request("POST", "/echo", std::string(200'000, 'x')))
            .status == 200);
  REQUIRE(holder->send(std::string(980'000, 'x')));
  std::this_thread::sleep_for(milliseconds(100));

  const auto refused = connect_to(server, tls);
  REQUIRE(refused->send(head_of(100'000)));
  const auto reply = refused->read_reply();
  CHECK(reply.status == 429);
  CHECK(reply.header("retry-after") == "1");
  CHECK(reply.header("connection") == "close");
  CHECK(reply.body == "the server holds as many bytes as it may; try again\n");
  CHECK(refused->ended());

  // What comes in one piece needs no memory of its own.
  CHECK(connect_to(server, tls)->exchange(HttpClient::request("POST", "/echo", "{}")).status ==
        200);
  REQUIRE(holder->send(std::string(20'000, 'x')));
  CHECK(holder->read_reply().body.size() == 1'000'000);
  const auto later = connect_to(server, tls);
  CHECK(later->exchange(HttpClient::request("POST", "/echo", std::string(100'000, 'x'))).status ==
        200);
}

TEST_CASE("Where unsent replies have used the budget up, one request at a time is answered",
          "[http][loops]") {
  const bool tls = GENERATE(true, false);
  http::ServerOptions options = tls ? tls_echo_options() : echo_options();
  options.loops = 1;
  options.limits.buffered = std::size_t{1024} * 1024;
  options.routes.push_back({"GET", "/large", "", [](const http::Request&) {
                              return http::Response{
                                  200, "text/plain", std::string(std::size_t{32} << 20, 'x'), {}};
                            }});
  const RunningServer server(std::move(options));
  const auto holder = connect_to(server, tls);
  REQUIRE(holder->send(HttpClient::request("GET", "/large")));
  REQUIRE_FALSE(holder->open_after(milliseconds(5000)));  // some of it has come
  const auto modest = connect_to(server, tls);
  CHECK(modest->exchange(kGetHello).status == 200);
  const auto greedy = connect_to(server, tls);
  REQUIRE(greedy->send(kGetHello + kGetHello + kGetHello));
  CHECK(greedy->read_reply().status == 200);
  CHECK(greedy->read_reply().status == 429);
  CHECK(greedy->ended());

  CHECK(holder->read_reply().whole());
  REQUIRE(modest->send(kGetHello + kGetHello));
  CHECK(modest->read_reply().status == 200);
  CHECK(modest->read_reply().status == 200);
}

TEST_CASE("429 comes before 100 Continue", "[http][loops]") {
  http::ServerOptions options = echo_options();
  options.limits.buffered = 1024;
  const RunningServer server(std::move(options));
  HttpClient client(server.port());
  REQUIRE(
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                  "Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n"));
  CHECK(client.read_reply().status == 429);
  CHECK(client.continues() == 0);
}

TEST_CASE("A reset at any stage harms nobody else", "[http][loops]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(tls ? tls_echo_options() : echo_options());
  const auto good = connect_to(server, tls);
  const std::string request = HttpClient::request("POST", "/echo", std::string(40'000, 'x'));
  for (const std::size_t sent : {std::size_t{0}, std::size_t{3}, std::size_t{90}, std::size_t{200},
                                 std::size_t{30'000}, request.size()}) {
    const auto client = connect_to(server, tls);
    REQUIRE(client->send(std::string_view(request).substr(0, sent)));
    client->reset();
    CHECK(good->exchange(kGetHello).status == 200);
  }
  CHECK(RunningServer::eventually([&] { return server.server().connections() == 1; }));
}

TEST_CASE("A client that changes its keys amid requests is served on", "[http][loops][tls]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), TlsOptions{});
  for (const int type : {SSL_KEY_UPDATE_NOT_REQUESTED, SSL_KEY_UPDATE_REQUESTED}) {
    REQUIRE(SSL_key_update(client.ssl(), type) == 1);
    CHECK(client.exchange(HttpClient::request("POST", "/echo", std::string(100'000, 'y')))
              .body.size() == 100'000);
  }
}
