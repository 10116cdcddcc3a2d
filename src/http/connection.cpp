#include "http/connection.h"

#include <algorithm>
#include <cstring>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "http/head.h"
#include "http/refusal.h"
#include "http/router.h"

namespace http {
namespace {

using Clock = std::chrono::steady_clock;

// Behind a head that is as large as it may be there is room for the largest TLS record.
constexpr std::size_t kRecordSize = std::size_t{16} * 1024;

// What is read and forgotten of a refused request, and for how long.
constexpr std::size_t kDiscardBytes = std::size_t{64} * 1024 * 1024;
constexpr std::chrono::seconds kDiscardTime{2};

class Connection {
 public:
  Connection(Service& service, Transport& transport, const std::string& peer)
      : service_(service),
        transport_(transport),
        peer_(peer),
        capacity_(service.limits.head + kRecordSize),
        buffer_(std::make_unique_for_overwrite<char[]>(capacity_ + kBodyPadding)) {}

  void serve() {
    while (wait_for_request() && serve_request()) {
    }
    end();
  }

 private:
  [[nodiscard]] std::string_view received() const { return {buffer_.get() + begin_, size_}; }

  // Waits until a request begins. False: the connection is to end.
  bool wait_for_request() {
    const Deadline idle_until = Clock::now() + service_.limits.keep_alive;
    while (true) {
      // RFC 9112, 2.2: an empty line before a request is none of it.
      while (received().starts_with("\r\n")) take(2);
      if (size_ > 0 && received() != "\r") {
        request_until_ = Clock::now() + service_.limits.request_time;
        return true;
      }
      // A connection that draining finds without any reply may send its first request yet.
      SignalFlag& wake = replied_ ? service_.draining : service_.stopping;
      if (transport_.wait(idle_until, wake.descriptor()) != Transport::Wait::readable) return false;
      const Deadline read_until = Clock::now() + service_.limits.request_time;
      if (!read_more(std::min(read_until, idle_until))) return false;
    }
  }

  // Answers one request. False: that reply was the last.
  bool serve_request() {
    auto head = read_head();
    if (!head) return refuse(head.error(), false);
    const bool to_head_request = head->method == "HEAD";
    const auto route = find_route(service_.routes, service_.limits, *head);
    if (!route) return refuse(route.error(), to_head_request);
    const auto length = static_cast<std::size_t>(head->content_length.value_or(0));
    const auto body = read_body(*head, length);
    if (!body) return refuse(body.error(), to_head_request);
    if (!respond(**route, *head, *body)) return false;
    take(head_size_ + std::min(length, size_ - head_size_));
    large_body_.reset();
    return true;
  }

  std::expected<Head, Refusal> read_head() {
    const std::size_t limit = service_.limits.head;
    while (true) {
      const auto end = find_head_end(received().substr(0, limit));
      if (!end) return std::unexpected(end.error());
      if (*end > 0) {
        head_size_ = *end;
        return parse_head(received().substr(0, *end));
      }
      if (size_ >= limit) {
        return std::unexpected(Refusal{431,
                                       "the request line and the header fields are over " +
                                           std::to_string(limit) + " bytes together",
                                       {}});
      }
      if (const auto read = read_more(request_until_); !read) {
        return std::unexpected(incomplete(read.error()));
      }
    }
  }

  // The whole body, in place if it fits behind its head, else in memory of its own.
  std::expected<std::string_view, Refusal> read_body(const Head& head, std::size_t length) {
    const std::size_t arrived = std::min(length, size_ - head_size_);
    if (arrived < length && head.expect_continue) {
      const Deadline deadline = Clock::now() + service_.limits.write_time;
      if (const auto sent = transport_.write("HTTP/1.1 100 Continue\r\n\r\n", deadline); !sent) {
        return std::unexpected(incomplete(sent.error()));
      }
    }
    // The head's views are into the buffer: it stays where it is.
    const bool fits = begin_ + head_size_ + length <= capacity_;
    if (fits) {
      while (size_ - head_size_ < length) {
        if (const auto read = read_more(request_until_); !read) {
          return std::unexpected(incomplete(read.error()));
        }
      }
      return received().substr(head_size_, length);
    }
    large_body_ = std::make_unique_for_overwrite<char[]>(length + kBodyPadding);
    std::memcpy(large_body_.get(), received().data() + head_size_, arrived);
    for (std::size_t have = arrived; have < length;) {
      const auto read = transport_.read({large_body_.get() + have, length - have}, request_until_);
      if (!read) return std::unexpected(incomplete(read.error()));
      have += *read;
    }
    return std::string_view(large_body_.get(), length);
  }

  bool respond(const Route& route, const Head& head, std::string_view body) {
    const Request request{head.method, head.path, head.content_type, peer_, body};
    const std::function<bool()> last = [this, &head] {
      return !head.keep_alive || service_.draining.raised() ||
             Clock::now() - opened_ >= service_.limits.max_connection_age;
    };
    const Outcome outcome =
        service_.responder.respond({route, request, head.http_1_0, last}, reply_);
    if (!outcome.failure.empty()) {
      service_.observer({Event::Kind::handler_failed, peer_, 500, outcome.failure});
    }
    replied_ = true;
    if (!send(reply_)) return false;
    // A reply of megabytes must not stay allocated while the connection is idle.
    if (reply_.capacity() > capacity_) std::string().swap(reply_);
    if (outcome.close) discard_ = true;
    return !outcome.close;
  }

  // Always false, as the reply is the last.
  bool refuse(const Refusal& refusal, bool to_head_request) {
    service_.observer({Event::Kind::refused, peer_, refusal.status, refusal.message});
    discard_ = send(write_refusal(refusal, to_head_request));
    return false;
  }

  [[nodiscard]] static Refusal incomplete(IoError error) {
    if (error == IoError::timeout) return {408, "the request did not come whole in time", {}};
    return {400, "the connection ended before the request was whole", {}};
  }

  bool send(std::string_view bytes) {
    return transport_.write(bytes, Clock::now() + service_.limits.write_time).has_value();
  }

  void end() {
    const Deadline deadline = Clock::now() + kDiscardTime;
    transport_.finish(deadline);
    if (discard_) transport_.discard(kDiscardBytes, deadline);
  }

  std::expected<void, IoError> read_more(Deadline deadline) {
    if (begin_ + size_ == capacity_) compact();
    const auto read =
        transport_.read({buffer_.get() + begin_ + size_, capacity_ - begin_ - size_}, deadline);
    if (!read) return std::unexpected(read.error());
    size_ += *read;
    return {};
  }

  void take(std::size_t bytes) {
    begin_ += bytes;
    size_ -= bytes;
    if (size_ == 0) begin_ = 0;
  }

  void compact() {
    std::memmove(buffer_.get(), buffer_.get() + begin_, size_);
    begin_ = 0;
  }

  Service& service_;
  Transport& transport_;
  const std::string& peer_;
  Clock::time_point opened_ = Clock::now();

  // [begin_, begin_ + size_) of the buffer is received and not yet answered.
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;

  // Of the request under way.
  Deadline request_until_;
  std::size_t head_size_ = 0;
  std::unique_ptr<char[]> large_body_;

  std::string reply_;
  bool replied_ = false;
  bool discard_ = false;  // the client may be sending still
};

}  // namespace

void serve_connection(Service& service, Transport& transport, const std::string& peer) {
  const auto secure = transport.handshake(Clock::now() + service.limits.request_time);
  if (secure) return Connection(service, transport, peer).serve();
  if (!secure.error().empty()) {
    service.observer({Event::Kind::handshake_failed, peer, 0, secure.error()});
  }
  const Deadline deadline = Clock::now() + kDiscardTime;
  transport.finish(deadline);
  transport.discard(kDiscardBytes, deadline);
}

}  // namespace http
