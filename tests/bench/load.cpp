// Load for `make bench`: TLS clients on one thread, cheap enough to leave the server its cores.
//
//   load load      --port P --path /mutate --body FILE --connections 16 --seconds 5 [--tls off]
//   load handshake --port P --path /mutate --body FILE --connections 4 --seconds 5
//   load idle      --port P --path /mutate --body FILE --connections 1000
//   load slow      --port P --path /mutate --body FILE --connections 2000
//   load pipeline  --port P --path /mutate --body FILE --requests 20000
//
// `load` sends one request after the other on each connection; `handshake` opens a connection for
// each; both print a JSON object. `idle` and `slow` print "ready" and hold their connections until
// standard input ends: idle ones had one reply, slow ones send a byte a second, a third of them
// each in the handshake, the head and the body, and begin anew when they are closed. `pipeline`
// sends all at once and reads 64 KiB every 10 ms.

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/bench/client.h"
#include "tests/bench/slow_client.h"
#include "tests/bench/tls.h"

namespace {

using bench::Client;
using bench::Clock;
using bench::Free;
using bench::SlowClient;

/// The command line: `--name value` pairs behind the mode.
class Flags {
 public:
  Flags(int argc, char** argv) {
    for (int i = 2; i + 1 < argc; i += 2) values_[argv[i]] = argv[i + 1];
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto found = values_.find("--" + name);
    if (found == values_.end()) throw std::runtime_error("--" + name + " is missing");
    return found->second;
  }
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = values_.find("--" + name);
    return found == values_.end() ? otherwise : found->second;
  }
  [[nodiscard]] int number(const std::string& name) const { return std::stoi(text(name)); }

 private:
  std::map<std::string, std::string> values_;
};

std::string read_file(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

/// The request as the API server sends it.
std::string request(const Flags& flags) {
  const std::string body = read_file(flags.text("body"));
  return "POST " + flags.text("path") +
         "?timeout=5s HTTP/1.1\r\nHost: tfjob-webhook.tfjob-webhook.svc:443\r\n"
         "User-Agent: kube-apiserver-admission\r\nContent-Length: " +
         std::to_string(body.size()) +
         "\r\nAccept: application/json, */*\r\nContent-Type: application/json\r\n"
         "Accept-Encoding: gzip\r\n\r\n" +
         body;
}

/// Drives clients by epoll.
class Clients {
 public:
  Clients(const Flags& flags, const std::string& request) : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (flags.text("tls", "on") == "on") context_ = bench::client_context();
    const int count = flags.number("connections");
    for (int i = 0; i < count; ++i) {
      clients_.push_back(std::make_unique<Client>(flags.number("port"), context_.get(), request));
      watch(*clients_.back(), EPOLL_CTL_ADD);
      // Not all handshakes at once: the accept queue has an end.
      if (i % 64 == 63) settle();
    }
  }

  /// Calls `on_reply(client)` for each reply until `stop()`; throws where a request fails.
  template <class OnReply, class Stop>
  void run(OnReply on_reply, Stop stop) {
    std::array<epoll_event, 256> events{};
    while (!stop()) {
      const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 100);
      for (int i = 0; i < ready; ++i) {
        auto& client = *static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr);
        switch (client.advance()) {
          case Client::State::waiting:
            watch(client, EPOLL_CTL_MOD);
            break;
          case Client::State::replied:
            on_reply(client);
            break;
          case Client::State::failed:
            throw std::runtime_error("a request failed");
        }
      }
    }
  }

  void watch(Client& client, int operation) const {
    epoll_event event{};
    event.events = client.wants();
    event.data.ptr = &client;
    ::epoll_ctl(epoll_, operation, client.socket(), &event);
  }

  /// Waits until every client so far has had its reply.
  void settle() {
    run([this](Client&) { ++replied_; }, [this] { return replied_ >= clients_.size(); });
  }

 private:
  std::unique_ptr<SSL_CTX, Free> context_;  // null: plain HTTP
  int epoll_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::size_t replied_ = 0;
};

void print(std::vector<double>& latencies, double seconds) {
  std::ranges::sort(latencies);
  const auto at = [&](double part) {
    return latencies.empty()
               ? 0.0
               : latencies[std::min(
                     latencies.size() - 1,
                     static_cast<std::size_t>(part * static_cast<double>(latencies.size())))];
  };
  std::cout << nlohmann::json{{"requests", latencies.size()},
                              {"seconds", seconds},
                              {"p50_us", at(0.5)},
                              {"p99_us", at(0.99)}}
                   .dump()
            << '\n'
            << std::flush;
}

void load(const Flags& flags, bool reopen) {
  const std::string text = request(flags);
  const auto limit = std::chrono::duration<double>(std::stod(flags.text("seconds")));
  std::vector<double> latencies;
  latencies.reserve(1'000'000);
  Clients clients(flags, text);
  const auto begin = Clock::now();
  clients.run(
      [&](Client& client) {
        auto state = Client::State::replied;
        // The next reply may be there before anybody waits for it.
        while (state == Client::State::replied) {
          latencies.push_back(
              std::chrono::duration<double, std::micro>(Clock::now() - client.begun()).count());
          if (reopen) {
            client.reopen();
            clients.watch(client, EPOLL_CTL_ADD);
            return;
          }
          client.restart();
          state = client.advance();
        }
        if (state == Client::State::failed) throw std::runtime_error("a request failed");
        clients.watch(client, EPOLL_CTL_MOD);
      },
      [&] { return Clock::now() - begin >= limit; });
  print(latencies, std::chrono::duration<double>(Clock::now() - begin).count());
}

void wait_for_end_of_input() {
  std::cout << "ready\n" << std::flush;
  while (std::cin.get() != std::char_traits<char>::eof()) {
  }
}

void idle(const Flags& flags) {
  const std::string text = request(flags);
  Clients clients(flags, text);
  clients.settle();
  wait_for_end_of_input();
}

void slow(const Flags& flags) {
  const std::string text = request(flags);
  const auto context = bench::client_context();
  constexpr std::array kStages{SlowClient::Stage::handshake, SlowClient::Stage::head,
                               SlowClient::Stage::body};
  std::vector<std::unique_ptr<SlowClient>> clients;
  const int count = flags.number("connections");
  for (int i = 0; i < count; ++i) {
    clients.push_back(
        std::make_unique<SlowClient>(flags.number("port"), context.get(), text,
                                     kStages.at(static_cast<std::size_t>(i) % kStages.size())));
    clients.back()->step();
    if (i % 64 == 63) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (int round = 0; round < 20; ++round) {
    for (const auto& client : clients) client->shake_hands();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::cout << "ready\n" << std::flush;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (::poll(&input, 1, 0) == 0) {
    // Spread over the second, as clients of many machines would be.
    constexpr int kParts = 50;
    for (std::size_t part = 0; part < kParts; ++part) {
      for (std::size_t i = part; i < clients.size(); i += kParts) clients[i]->step();
      std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kParts));
    }
  }
}

void pipeline(const Flags& flags) {
  const std::string text = request(flags);
  const int requests = flags.number("requests");
  const auto context = bench::client_context();
  const int socket = bench::open_socket(flags.number("port"));
  const std::unique_ptr<SSL, Free> ssl(SSL_new(context.get()));
  SSL_set_fd(ssl.get(), socket);
  const auto wait = [&](int events, int milliseconds) {
    pollfd descriptor{socket, static_cast<short>(events), 0};
    ::poll(&descriptor, 1, milliseconds);
  };
  while (SSL_connect(ssl.get()) != 1) wait(POLLIN | POLLOUT, 10);
  int sent = 0;
  std::size_t at = 0;
  int replies = 0;
  std::string received;
  auto last = Clock::now();
  while (replies < requests && Clock::now() - last < std::chrono::seconds(20)) {
    std::size_t count = 0;
    while (sent < requests) {
      ERR_clear_error();
      if (SSL_write_ex(ssl.get(), text.data() + at, text.size() - at, &count) != 1) break;
      at += count;
      if (at < text.size()) continue;
      at = 0;
      ++sent;
    }
    wait(0, 10);
    static std::array<char, 65536> bytes;
    ERR_clear_error();
    std::size_t budget = bytes.size();
    while (budget > 0 && SSL_read_ex(ssl.get(), bytes.data(), budget, &count) == 1) {
      received.append(bytes.data(), count);
      budget -= count;
      last = Clock::now();
    }
    for (std::size_t next = 0; (next = received.find("HTTP/1.1 200 ")) != std::string::npos;) {
      ++replies;
      received.erase(0, next + 13);
    }
    if (received.size() > 64) received.erase(0, received.size() - 12);
  }
  ::close(socket);
  std::cout << nlohmann::json{{"requests", requests}, {"replies", replies}}.dump() << '\n'
            << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  try {
    const std::string mode = argc > 1 ? argv[1] : "";
    const Flags flags(argc, argv);
    if (mode == "load") {
      load(flags, false);
    } else if (mode == "handshake") {
      load(flags, true);
    } else if (mode == "idle") {
      idle(flags);
    } else if (mode == "slow") {
      slow(flags);
    } else if (mode == "pipeline") {
      pipeline(flags);
    } else {
      throw std::runtime_error("the mode is load, handshake, idle, slow or pipeline");
    }
  } catch (const std::exception& error) {
    std::cerr << "load: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
