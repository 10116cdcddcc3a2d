#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http/server.h"
#include "tests/http/running_server.h"
#include "tests/support/catch.h"
#include "tests/support/http_client.h"

namespace {

using http_test::RunningServer;
using http_test::tls_echo_options;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using support::HttpClient;
using support::TlsOptions;

// A door that handlers wait at.
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void wait_for_one() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool open_ = false;
};

http::ServerOptions gated_options(Gate& gate) {
  http::ServerOptions options = tls_echo_options();
  options.loops = 2;  // a handler that waits holds its loop up
  options.routes.push_back({"GET", "/gated", "", [&gate](const http::Request&) {
                              gate.pass();
                              return http::Response{200, "text/plain", "through\n", {}};
                            }});
  return options;
}

const std::string kShutdownHello = HttpClient::request("GET", "/hello");

}  // namespace

TEST_CASE("Draining leaves idle connections open until their next reply", "[http][shutdown]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), TlsOptions{});
  CHECK(client.exchange(kShutdownHello).header("connection").empty());
  server.server().drain();
  // A request may be on its way: who closes now loses it.
  CHECK(client.open_after(milliseconds(50)));
  CHECK(client.exchange(kShutdownHello).header("connection") == "close");
  CHECK(client.ended());
  CHECK(server.events().empty());
}

TEST_CASE("Stopping closes idle connections that had a reply", "[http][shutdown]") {
  const RunningServer server(tls_echo_options());
  HttpClient client(server.port(), TlsOptions{});
  CHECK(client.exchange(kShutdownHello).header("connection").empty());
  server.server().stop();
  CHECK(client.ended());
  CHECK(server.events().empty());
}

TEST_CASE("What waits in the accept queue when stopping begins is answered", "[http][shutdown]") {
  Gate gate;
  http::ServerOptions options = gated_options(gate);
  options.tls = {};
  options.loops = 1;
  const RunningServer server(std::move(options));
  HttpClient busy(server.port());
  REQUIRE(busy.send(HttpClient::request("GET", "/gated")));
  gate.wait_for_one();
  // The only loop is busy: what these send lies in the system's buffers.
  std::vector<std::unique_ptr<HttpClient>> waiting;
  for (int i = 0; i < 20; ++i) {
    waiting.push_back(std::make_unique<HttpClient>(server.port()));
    REQUIRE(waiting.back()->send(kShutdownHello));
  }
  server.server().stop();
  gate.open();
  for (const auto& client : waiting) {
    const auto reply = client->read_reply();
    REQUIRE(reply.whole());
    CHECK(reply.header("connection") == "close");
    CHECK(client->ended());
  }
}

TEST_CASE("While draining, new connections have their request answered and closed",
          "[http][shutdown]") {
  const RunningServer server(tls_echo_options());
  HttpClient before(server.port(), TlsOptions{});
  server.server().drain();
  HttpClient after(server.port(), TlsOptions{});
  for (HttpClient* client : {&before, &after}) {
    CHECK(client->open_after(milliseconds(50)));
    const auto reply = client->exchange(kShutdownHello);
    REQUIRE(reply.whole());
    CHECK(reply.status == 200);
    CHECK(reply.header("connection") == "close");
    CHECK(client->ended());
  }
}

TEST_CASE("A reply in flight when draining begins says close", "[http][shutdown]") {
  Gate gate;
  const RunningServer server(gated_options(gate));
  HttpClient client(server.port(), TlsOptions{});
  REQUIRE(client.send(HttpClient::request("GET", "/gated")));
  gate.wait_for_one();
  server.server().drain();
  gate.open();
  const auto reply = client.read_reply();
  REQUIRE(reply.whole());
  CHECK(reply.body == "through\n");
  CHECK(reply.header("connection") == "close");
  CHECK(client.ended());
}

TEST_CASE("Stopping finishes what is in flight and takes nothing new", "[http][shutdown]") {
  Gate gate;
  RunningServer server(gated_options(gate));
  auto busy = std::make_unique<HttpClient>(server.port(), TlsOptions{});
  HttpClient unused(server.port(), TlsOptions{});
  REQUIRE(busy->send(HttpClient::request("GET", "/gated")));
  gate.wait_for_one();
  server.server().stop();
  CHECK(unused.ended());
  CHECK(RunningServer::eventually([&] {
    try {
      const HttpClient late(server.port());
      return false;
    } catch (const std::runtime_error&) {
      return true;
    }
  }));
  gate.open();
  const auto reply = busy->read_reply();
  REQUIRE(reply.whole());
  CHECK(reply.body == "through\n");
  CHECK(reply.header("connection") == "close");
  CHECK(busy->ended());
  busy.reset();
  server.stop_and_wait();
  CHECK(server.server().connections() == 0);
}

TEST_CASE("A half-sent request is cut off when the grace period is over", "[http][shutdown]") {
  http::ServerOptions options = tls_echo_options();
  options.grace = milliseconds(100);
  RunningServer server(std::move(options));
  HttpClient client(server.port(), TlsOptions{});
  REQUIRE(client.send("GET /hello HT"));
  CHECK(client.open_after(milliseconds(50)));
  const auto begin = steady_clock::now();
  server.stop_and_wait();
  CHECK(steady_clock::now() - begin < milliseconds(3000));
  CHECK_FALSE(client.read_reply().whole());
}

TEST_CASE("A server that is stopped before it runs does not run", "[http][shutdown]") {
  http::ServerOptions options = tls_echo_options();
  options.host = "127.0.0.1";
  http::Server server(std::move(options));
  REQUIRE(server.listen().has_value());
  server.stop();
  server.run();
  CHECK(server.connections() == 0);
}
