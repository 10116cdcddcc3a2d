#include "http/server.h"

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/http/running_server.h"
#include "tests/support/catch.h"
#include "tests/support/http_client.h"

namespace {

using http_test::echo_options;
using http_test::identity;
using http_test::RunningServer;
using http_test::tls_echo_options;
using std::chrono::milliseconds;
using support::HttpClient;
using support::Reply;

support::TlsOptions trusting() {
  support::TlsOptions options;
  options.ca = identity().authority.certificate_pem();
  return options;
}

// Sends `request` over a connection of its own; it must be answered with a text, "Connection:
// close" and an end in order.
Reply refused(const RunningServer& server, std::string_view request) {
  HttpClient client(server.port(), trusting());
  const auto reply = client.exchange(request);
  REQUIRE(reply.whole());
  CHECK(reply.header("connection") == "close");
  CHECK(reply.header("content-type") == "text/plain; charset=utf-8");
  CHECK(client.ended());
  return reply;
}

}  // namespace

TEST_CASE("A request over TLS is answered by its route", "[http][server]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), trusting());
  const auto reply = client.exchange(HttpClient::request("POST", "/echo?timeout=5s", "{}"));
  REQUIRE(reply.whole());
  CHECK(reply.status == 200);
  CHECK(reply.body == "{}");
  CHECK(reply.header("content-type") == "application/json");
  CHECK(reply.header("content-length") == "2");
  CHECK_FALSE(reply.headers.contains("connection"));
  CHECK_FALSE(reply.headers.contains("keep-alive"));
  CHECK(server.events().empty());
}

TEST_CASE("What no handler answers is refused with its reason", "[http][server]") {
  const RunningServer server(tls_echo_options());
  const auto [request, status, text] = GENERATE(table<std::string, int, std::string>({
      {HttpClient::request("GET", "/nothing"), 404,
       "there is nothing at this path; this server answers POST /echo, GET /hello, GET /throw\n"},
      {HttpClient::request("GET", "/echo"), 405, "this path answers POST only\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\r\n", 411,
       "send the body with a Content-Length, not chunked\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
       411, "send the body with a Content-Length, not chunked\n"},
      {HttpClient::request("POST", "/echo", "{}", "", "text/yaml"), 415,
       "send the body with Content-Type: application/json\n"},
      {HttpClient::request("POST", "/echo", "{}", "Content-Encoding: gzip\r\n"), 415,
       "send the body as it is, without Content-Encoding\n"},
      {HttpClient::request("POST", "/echo", "{}", "Expect: magic\r\n"), 417,
       "the only expectation that this server meets is 100-continue\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n", 400,
       "a header line is not \"Name: value\"\n"},
      {"BREW /hello HTTP/1.1\r\nHost: a\r\n\r\n", 501,
       "this server does not know the method of the request\n"},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "this server speaks HTTP/1.1 only\n"},
      {"GET /hello HTTP/1.1\nHost: a\n\n", 400, "a header line ends with LF, not CR LF\n"},
      {HttpClient::request("GET", "/hello", "", "X: " + std::string(17000, 'x') + "\r\n"), 431,
       "the request line and the header fields are over 16384 bytes together\n"},
  }));
  CAPTURE(request.substr(0, 200));
  const Reply reply = refused(server, request);
  CHECK(reply.status == status);
  CHECK(reply.body == text);
  REQUIRE(server.events().size() == 1);
  CHECK(server.events()[0].kind == http::Event::Kind::refused);
  CHECK(server.events()[0].status == status);
  CHECK(server.events()[0].message + "\n" == text);
  CHECK(server.events()[0].peer.starts_with("127.0.0.1:"));
}

TEST_CASE("405 tells what is allowed", "[http][server]") {
  const RunningServer server(tls_echo_options());
  CHECK(refused(server, HttpClient::request("DELETE", "/hello")).header("allow") == "GET, HEAD");
}

TEST_CASE("A refusal of HEAD has no body", "[http][server]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), trusting());
  const auto reply = client.exchange(HttpClient::request("HEAD", "/nothing"));
  REQUIRE(reply.whole());
  CHECK(reply.status == 404);
  CHECK(client.ended());
}

TEST_CASE("A body of 9 MiB gets its 413 and no reset", "[http][server]") {
  const bool tls = GENERATE(true, false);
  const RunningServer server(tls ? tls_echo_options() : echo_options());
  const auto client = tls ? std::make_unique<HttpClient>(server.port(), trusting())
                          : std::make_unique<HttpClient>(server.port());
  const std::string body(std::size_t{9} * 1024 * 1024, ' ');
  CHECK(client->send(HttpClient::request("POST", "/echo", body)));
  const auto reply = client->read_reply();
  REQUIRE(reply.whole());
  CHECK(reply.status == 413);
  CHECK(reply.body == "the body is larger than 7340032 bytes\n");
  CHECK(client->ended());
}

TEST_CASE("A body as large as the limit is handled whole, and the connection goes on",
          "[http][server]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), trusting());
  std::string body(std::size_t{7} * 1024 * 1024, 'a');
  body.front() = '<';
  body.back() = '>';
  for (int i = 0; i < 2; ++i) {
    const auto reply = client.exchange(HttpClient::request("POST", "/echo", body));
    REQUIRE(reply.whole());
    CHECK(reply.status == 200);
    CHECK(reply.body == body);
  }
}

TEST_CASE("Bodies of every size around the buffer's arrive as they were sent", "[http][server]") {
  const RunningServer server(echo_options());
  HttpClient client(server.port());
  for (const std::size_t size :
       {0U, 1U, 16000U, 16384U, 32000U, 32500U, 32700U, 32768U, 33000U, 65536U}) {
    CAPTURE(size);
    std::string body(size, '\0');
    for (std::size_t i = 0; i < size; ++i) body[i] = static_cast<char>('a' + i % 23);
    const auto reply = client.exchange(HttpClient::request("POST", "/echo", body));
    REQUIRE(reply.whole());
    CHECK(reply.body == body);
  }
}

TEST_CASE("Readable bytes follow a body", "[http][server]") {
  http::ServerOptions options = echo_options();
  options.routes = {{"POST", "/padded", "", [](const http::Request& request) {
                       // AddressSanitizer sees to it that they are the server's.
                       return http::Response{200,
                                             "text/plain",
                                             std::string(request.body.data(),
                                                         request.body.size() + http::kBodyPadding),
                                             {}};
                     }}};
  const RunningServer server(std::move(options));
  for (const std::size_t size : {0U, 10U, 32640U, 32000U, 100000U}) {
    CAPTURE(size);
    HttpClient client(server.port());
    const auto reply =
        client.exchange(HttpClient::request("POST", "/padded", std::string(size, 'x')));
    REQUIRE(reply.whole());
    CHECK(reply.body.size() == size + 64);
    CHECK(reply.body.starts_with(std::string(size, 'x')));
  }
}

TEST_CASE("HEAD is answered as GET is, without the body", "[http][server]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), trusting());
  for (int i = 0; i < 2; ++i) {
    const auto reply = client.exchange(HttpClient::request("HEAD", "/hello"));
    REQUIRE(reply.whole());
    CHECK(reply.status == 200);
    CHECK(reply.header("content-length") == "6");
    CHECK(reply.header("x-method") == "HEAD");
    CHECK_FALSE(reply.headers.contains("accept-ranges"));
  }
}

TEST_CASE("Replies are neither compressed nor cut to ranges", "[http][server]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), trusting());
  const std::string body = "[" + std::string(5000, ' ') + "]";
  for (const std::string_view fields :
       {"Accept-Encoding: gzip, deflate, br\r\n", "Range: bytes=0-1\r\n",
        "Range: bytes=1-0,-0,9999999999999999999-\r\n"}) {
    CAPTURE(fields);
    const auto reply = client.exchange(HttpClient::request("POST", "/echo", body, fields));
    REQUIRE(reply.whole());
    CHECK(reply.status == 200);
    CHECK_FALSE(reply.headers.contains("content-encoding"));
    CHECK(reply.body == body);
  }
}

TEST_CASE("What a handler throws is a 500 that does not tell it", "[http][server]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), trusting());
  const auto reply = client.exchange(HttpClient::request("GET", "/throw"));
  REQUIRE(reply.whole());
  CHECK(reply.status == 500);
  CHECK(reply.body == "the server failed to handle the request\n");
  for (const auto& [name, value] : reply.headers) {
    CHECK(value.find("secret") == std::string::npos);
  }
  CHECK(server.event_message(http::Event::Kind::handler_failed) == "a secret path");
  CHECK(client.exchange(HttpClient::request("GET", "/hello")).status == 200);
}

TEST_CASE("A server listens on IPv6 and IPv4 at once", "[http][server]") {
  http::ServerOptions options = tls_echo_options();
  options.host = "::";
  const RunningServer server(std::move(options));
  HttpClient ipv4(server.port(), trusting());
  CHECK(ipv4.exchange(HttpClient::request("GET", "/hello")).status == 200);
  std::unique_ptr<HttpClient> ipv6;
  try {
    ipv6 = std::make_unique<HttpClient>(server.port(), trusting(), true);
  } catch (const std::runtime_error&) {
    WARN("this machine has no IPv6");
    return;
  }
  CHECK(ipv6->exchange(HttpClient::request("GET", "/hello")).status == 200);
}

TEST_CASE("A second server on one address is told so", "[http][server]") {
  const RunningServer server(echo_options());
  http::ServerOptions options = echo_options();
  options.host = "127.0.0.1";
  options.port = server.port();
  http::Server second(std::move(options));
  const auto port = second.listen();
  REQUIRE_FALSE(port.has_value());
  CHECK(port.error().find("Address already in use") != std::string::npos);
}

TEST_CASE("A hundred connections at once are all answered", "[http][server]") {
  const RunningServer server(tls_echo_options());
  std::atomic<int> answered{0};
  std::vector<std::unique_ptr<HttpClient>> clients(100);
  {
    std::vector<std::jthread> threads;
    threads.reserve(10);
    for (std::size_t t = 0; t < 10; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < clients.size(); i += 10) {
          clients[i] = std::make_unique<HttpClient>(server.port(), trusting());
        }
        for (std::size_t i = t; i < clients.size(); i += 10) {
          const std::string body = std::to_string(i);
          const auto reply = clients[i]->exchange(HttpClient::request("POST", "/echo", body));
          if (reply.body == body) ++answered;
        }
      });
    }
  }
  CHECK(answered == 100);
  CHECK(server.server().connections() == 100);
  clients.clear();
  CHECK(RunningServer::eventually([&] { return server.server().connections() == 0; }));
}

TEST_CASE("Connections over the limit are closed, and room is made again", "[http][server]") {
  http::ServerOptions options = echo_options();
  options.limits.connections = 2;
  const RunningServer server(std::move(options));
  auto first = std::make_unique<HttpClient>(server.port());
  HttpClient second(server.port());
  CHECK(first->exchange(HttpClient::request("GET", "/hello")).status == 200);
  CHECK(second.exchange(HttpClient::request("GET", "/hello")).status == 200);
  HttpClient third(server.port());
  CHECK(third.ended());
  CHECK(server.event_message(http::Event::Kind::too_many_connections) ==
        "there are 2 connections already");
  first.reset();
  CHECK(RunningServer::eventually([&] { return server.server().connections() == 1; }));
  HttpClient fourth(server.port());
  CHECK(fourth.exchange(HttpClient::request("GET", "/hello")).status == 200);
}
