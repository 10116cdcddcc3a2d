#include "http/responder.h"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include <httplib.h>

#include "http/date.h"
#include "http/refusal.h"

namespace http {
namespace {

// Hands cpp-httplib a head and collects what it writes.
class MemoryStream final : public httplib::Stream {
 public:
  MemoryStream(std::string_view head, std::string& reply) : head_(head), reply_(reply) {}

  [[nodiscard]] bool is_readable() const override { return !head_.empty(); }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override {
    const size_t count = head_.copy(to, size);
    head_.remove_prefix(count);
    return count > 0 ? static_cast<ssize_t>(count) : -1;
  }
  ssize_t write(const char* bytes, size_t size) override {
    reply_.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  // Builds without poll(2) answer 500 for descriptors from 1024 up; there is none here.
  [[nodiscard]] socket_t socket() const override { return -1; }

 private:
  std::string_view head_;
  std::string& reply_;
};

struct Call {
  const Exchange& exchange;
  Outcome outcome;
};

// The call that this thread is in: cpp-httplib has no way to pass it through.
thread_local Call* current_call = nullptr;

Response call_handler(Call& call) {
  try {
    return call.exchange.route.handler(call.exchange.request);
  } catch (const std::exception& error) {
    call.outcome.failure = error.what();
  } catch (...) {
    call.outcome.failure = "something that is no std::exception";
  }
  if (call.outcome.failure.empty()) call.outcome.failure = "an exception without text";
  return {500, "text/plain; charset=utf-8", "the server failed to handle the request\n", {}};
}

void answer(const httplib::Request& /*request*/, httplib::Response& out) {
  Response response = call_handler(*current_call);
  out.status = response.status;
  for (const auto& [name, value] : response.headers) out.set_header(name, value);
  if (!response.content_type.empty()) out.set_header("Content-Type", response.content_type);
  out.body = std::move(response.body);
}

void set_connection(const httplib::Request& request, httplib::Response& out) {
  Call& call = *current_call;
  call.outcome.close = call.exchange.last();
  // It promises a number of requests, of which there is no limit here.
  out.headers.erase("Keep-Alive");
  out.headers.erase("Connection");
  if (call.outcome.close) {
    out.set_header("Connection", "close");
  } else if (call.exchange.http_1_0) {
    out.set_header("Connection", "keep-alive");
  }
  if (request.method == "HEAD") out.headers.erase("Accept-Ranges");
  out.set_header("Date", std::string(http_date()));
}

}  // namespace

class Responder::Engine final : public httplib::Server {
 public:
  Engine() {
    set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
    set_post_routing_handler(set_connection);
  }

  void process(httplib::Stream& stream) { process_with(*this, stream); }

 private:
  // A template, so that the call which the installed version lacks is not compiled.
  template <typename Self>
  static void process_with(Self& self, httplib::Stream& stream) {
    bool closed = false;
    if constexpr (requires { self.process_request(stream, false, closed, nullptr); }) {
      self.process_request(stream, false, closed, nullptr);
    } else {
      self.process_request(stream, "", 0, "", 0, false, closed, nullptr);
    }
  }
};

// cpp-httplib makes values of its own when they are first used (the set of methods). One request
// here has them made before there are other threads: its library is not instrumented, so
// ThreadSanitizer cannot see that the compiler guards them.
Responder::Responder() : engine_(std::make_unique<Engine>()) {
  const Route route{"GET", "/", {}, [](const Request&) { return Response{}; }};
  const Request request{"GET", "/", {}, {}, {}};
  std::string reply;
  respond({route, request, false, [] { return true; }}, reply);
}
Responder::~Responder() = default;

Outcome Responder::respond(const Exchange& exchange, std::string& replies) const {
  std::string head;
  head.append(exchange.request.method).append(" ").append(exchange.route.path);
  head += " HTTP/1.1\r\n";
  head += "\r\n";
  const std::size_t before = replies.size();
  MemoryStream stream(head, replies);
  Call call{exchange, {}};
  current_call = &call;
  engine_->process(stream);
  current_call = nullptr;
  if (replies.size() == before) {
    replies += write_refusal({500, "the server failed to write a reply", {}});
    call.outcome = {true, "cpp-httplib wrote no reply"};
  }
  return std::move(call.outcome);
}

}  // namespace http
