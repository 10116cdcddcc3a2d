// Load for `make bench`: TLS clients on one thread, cheap enough to leave the server its cores.
//
//   load load      --port P --path /mutate --body FILE --connections 16 --seconds 5
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
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nlohmann/json.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

struct Free {
  void operator()(SSL* p) const noexcept { SSL_free(p); }
  void operator()(SSL_CTX* p) const noexcept { SSL_CTX_free(p); }
};

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

int open_socket(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) throw std::runtime_error("no further socket");
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
      errno != EINPROGRESS) {
    ::close(socket);
    throw std::runtime_error("cannot connect");
  }
  return socket;
}

std::unique_ptr<SSL_CTX, Free> client_context() {
  std::unique_ptr<SSL_CTX, Free> context(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  // As Go's client: AES-128 first.
  SSL_CTX_set_ciphersuites(context.get(), "TLS_AES_128_GCM_SHA256");
  return context;
}

/// One connection that sends a request and reads its reply, again and again.
class Client {
 public:
  Client(int port, SSL_CTX* context, const std::string& request)
      : port_(port), context_(context), request_(request) {
    open();
  }
  ~Client() { close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  enum class State { waiting, replied, failed };

  /// Does what can be done now; `replied` once for each reply, in which case `restart` or `reopen`
  /// has to follow.
  State advance() {
    ERR_clear_error();
    if (!connected_) {
      const int result = SSL_connect(ssl_.get());
      if (result != 1) return blocked(result);
      connected_ = true;
    }
    while (sent_ < request_.size()) {
      std::size_t count = 0;
      const int result =
          SSL_write_ex(ssl_.get(), request_.data() + sent_, request_.size() - sent_, &count);
      if (result != 1) return blocked(result);
      sent_ += count;
    }
    while (true) {
      static std::array<char, 16384> bytes;
      std::size_t count = 0;
      const int result = SSL_read_ex(ssl_.get(), bytes.data(), bytes.size(), &count);
      if (result != 1) return blocked(result);
      received_.append(bytes.data(), count);
      const std::size_t head = received_.find("\r\n\r\n");
      if (head == std::string::npos) continue;
      // Go's server sends what is over 2 KiB in chunks.
      const bool chunked = received_.find("\r\nTransfer-Encoding: chunked\r\n") < head;
      if (chunked ? !received_.ends_with("\r\n0\r\n\r\n")
                  : received_.size() < head + 4 + content_length()) {
        continue;
      }
      if (received_.compare(9, 3, "200") != 0) return State::failed;
      return State::replied;
    }
  }

  void restart() {
    begun_ = Clock::now();
    sent_ = 0;
    received_.clear();
  }
  void reopen() {
    close();
    open();
  }

  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] std::uint32_t wants() const { return wants_; }
  [[nodiscard]] Clock::time_point begun() const { return begun_; }

 private:
  void open() {
    begun_ = Clock::now();
    socket_ = open_socket(port_);
    ssl_.reset(SSL_new(context_));
    SSL_set_fd(ssl_.get(), socket_);
    connected_ = false;
    sent_ = 0;
    received_.clear();
    wants_ = EPOLLOUT;
  }
  void close() {
    if (connected_) SSL_shutdown(ssl_.get());
    ssl_.reset();
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  State blocked(int result) {
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_WANT_READ:
        wants_ = EPOLLIN;
        return State::waiting;
      case SSL_ERROR_WANT_WRITE:
        wants_ = EPOLLOUT;
        return State::waiting;
      default:
        return State::failed;
    }
  }
  [[nodiscard]] std::size_t content_length() const {
    for (const char* name : {"\r\nContent-Length: ", "\r\ncontent-length: "}) {
      const std::size_t at = received_.find(name);
      if (at == std::string::npos) continue;
      std::size_t length = 0;
      const char* const begin = received_.data() + at + std::string_view(name).size();
      std::from_chars(begin, received_.data() + received_.size(), length);
      return length;
    }
    return 0;
  }

  int port_;
  SSL_CTX* context_;
  const std::string& request_;
  int socket_ = -1;
  std::unique_ptr<SSL, Free> ssl_;
  bool connected_ = false;
  std::size_t sent_ = 0;
  std::string received_;
  std::uint32_t wants_ = 0;
  Clock::time_point begun_;
};

/// Drives clients by epoll.
class Clients {
 public:
  Clients(const Flags& flags, const std::string& request)
      : context_(client_context()), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
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

  void watch(Client& client, int operation) {
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
  std::unique_ptr<SSL_CTX, Free> context_;
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
            << std::endl;
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
  std::cout << "ready" << std::endl;
  while (std::cin.get() != std::char_traits<char>::eof()) {
  }
}

void idle(const Flags& flags) {
  const std::string text = request(flags);
  Clients clients(flags, text);
  clients.settle();
  wait_for_end_of_input();
}

/// A client that sends a byte a second.
class SlowClient {
 public:
  enum class Stage { handshake, head, body };

  SlowClient(int port, SSL_CTX* context, const std::string& request, Stage stage)
      : port_(port), context_(context), request_(request), stage_(stage) {}
  ~SlowClient() { close(); }
  SlowClient(const SlowClient&) = delete;
  SlowClient& operator=(const SlowClient&) = delete;

  void step() {
    if (socket_ < 0) open();
    if (ended()) {
      close();
      return;
    }
    if (stage_ == Stage::handshake) {
      if (at_ < hello_.size()) static_cast<void>(::send(socket_, &hello_[at_++], 1, MSG_NOSIGNAL));
      return;
    }
    ERR_clear_error();
    if (!SSL_is_init_finished(ssl_.get())) {
      SSL_connect(ssl_.get());
      return;
    }
    const std::size_t head = request_.find("\r\n\r\n") + 4;
    const std::size_t first = stage_ == Stage::body && at_ == 0 ? head : 1;
    if (at_ + first < request_.size() &&
        SSL_write(ssl_.get(), request_.data() + at_, static_cast<int>(first)) > 0) {
      at_ += first;
    }
  }

  /// Goes on with a handshake that is not to be slow.
  void shake_hands() {
    if (socket_ < 0) open();
    ERR_clear_error();
    if (stage_ != Stage::handshake && !SSL_is_init_finished(ssl_.get())) SSL_connect(ssl_.get());
  }

 private:
  void open() {
    socket_ = open_socket(port_);
    at_ = 0;
    ssl_.reset(SSL_new(context_));
    if (stage_ == Stage::handshake) {
      BIO* const out = BIO_new(BIO_s_mem());
      SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), out);
      SSL_connect(ssl_.get());
      char* text = nullptr;
      const long size = BIO_get_mem_data(out, &text);
      hello_.assign(text, static_cast<std::size_t>(size));
    } else {
      SSL_set_fd(ssl_.get(), socket_);
    }
  }
  [[nodiscard]] bool ended() const {
    char byte = 0;
    return ::recv(socket_, &byte, 1, MSG_PEEK) == 0;
  }
  void close() {
    ssl_.reset();
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  int port_;
  SSL_CTX* context_;
  const std::string& request_;
  Stage stage_;
  int socket_ = -1;
  std::unique_ptr<SSL, Free> ssl_;
  std::string hello_;
  std::size_t at_ = 0;
};

void slow(const Flags& flags) {
  const std::string text = request(flags);
  const auto context = client_context();
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
  std::cout << "ready" << std::endl;
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
  const auto context = client_context();
  const int socket = open_socket(flags.number("port"));
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
  std::cout << nlohmann::json{{"requests", requests}, {"replies", replies}}.dump() << std::endl;
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
