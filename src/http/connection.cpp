#include "http/connection.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "http/client_name.h"
#include "http/router.h"

namespace http {
namespace {

// What is read and forgotten of a refused request, and for how long.
constexpr std::size_t kDiscardBytes = std::size_t{64} * 1024 * 1024;
constexpr std::chrono::seconds kDiscardTime{2};

// How long a stopping server waits for the first request of a connection that is new.
constexpr std::chrono::milliseconds kFirstRequestTime{500};

// Reads in one turn: 16 KiB each, so that a large body does not hold the others up.
constexpr int kReadsPerTurn = 32;

// Requests that are answered in one turn, so that who pipelines does not hold the others up.
constexpr int kRequestsPerTurn = 16;

// Where this much is to be sent, no further request is answered before it is.
constexpr std::size_t kMaxUnsent = std::size_t{256} * 1024;

std::uint32_t events_of(Io io) noexcept { return io == Io::want_write ? EPOLLOUT : EPOLLIN; }

}  // namespace

Connection::Connection(Service& service, Channel channel, std::string peer, Deadline now)
    : service_(service),
      channel_(std::move(channel)),
      peer_(std::move(peer)),
      opened_(now),
      phase_(channel_.ssl() == nullptr ? Phase::open : Phase::handshake),
      pending_(service.budget),
      output_share_(service.budget),
      idle_until_(now + (phase_ == Phase::open ? service.limits.keep_alive
                                               : service.limits.request_time)) {}

Deadline Connection::deadline() const noexcept {
  if (phase_ == Phase::discarding || !output_.empty()) return write_until_;
  return started_ ? request_until_ : idle_until_;
}

Connection::Next Connection::advance(Turn& turn) {
  if (phase_ == Phase::handshake) {
    const Next next = shake_hands(turn);
    if (phase_ == Phase::handshake) return next;
  }
  const Next next = phase_ == Phase::discarding ? discard() : serve(turn);
  turn.trim();
  return next;
}

Connection::Next Connection::time_out(Turn& turn) {
  switch (phase_) {
    case Phase::handshake:
      service_.observer(
          {Event::Kind::handshake_failed, peer_, 0, "the TLS handshake was not finished in time"});
      return Next::end;
    case Phase::finishing:
    case Phase::discarding:
      return Next::end;
    case Phase::open:
      break;
  }
  if (!output_.empty()) return Next::end;  // half a record may be out: nothing can follow it
  if (started_) {
    refuse({408, "the request did not come whole in time", {}}, turn);
    const Next next = serve(turn);
    turn.trim();
    return next;
  }
  channel_.finish();
  return Next::end;
}

Connection::Next Connection::stop(Turn& turn) {
  stopping_ = true;
  return advance(turn);
}

Connection::Next Connection::shake_hands(Turn& turn) {
  // The socket stays ready, so that the loop comes back to it.
  if (turn.handshakes_left == 0) return Next::wait;
  --turn.handshakes_left;
  const auto io = channel_.handshake();
  if (!io) {
    if (!io.error().empty()) {
      service_.observer({Event::Kind::handshake_failed, peer_, 0, io.error()});
    }
    write_until_ = turn.now + kDiscardTime;
    channel_.finish();
    phase_ = Phase::discarding;
    return Next::again;
  }
  if (*io != Io::done) {
    interest_ = events_of(*io);
    return Next::wait;
  }
  phase_ = Phase::open;
  idle_until_ = turn.now + service_.limits.keep_alive;
  if (!service_.client_names.empty()) {
    refused_client_ = why_refused(*channel_.ssl(), service_.client_names);
  }
  return Next::wait;
}

Connection::Next Connection::serve(Turn& turn) {
  bool drained = false;
  turn.requests_left = kRequestsPerTurn;
  for (int reads = 0;;) {
    if (!flush(turn)) return Next::end;
    if (!output_.empty()) return Next::wait;
    if (phase_ == Phase::finishing) return finish(turn);
    if (turn.requests_left == 0) return Next::again;
    if (unread_requests_) {
      answer_kept(turn);
      continue;
    }
    if (drained) break;
    if (reads++ == kReadsPerTurn) return Next::again;
    switch (read(turn)) {
      case Read::some:
        // Saves the read that would only say that there is nothing more.
        drained = !pending_.begun() && !channel_.has_pending();
        continue;
      case Read::nothing:
        return rest(turn);
      case Read::end:
        return Next::end;
    }
  }
  interest_ = EPOLLIN;
  return rest(turn);
}

// There is nothing to do now.
Connection::Next Connection::rest(const Turn& turn) {
  if (!stopping_ || pending_.begun()) return Next::wait;
  if (replied_) {
    channel_.finish();
    return Next::end;
  }
  idle_until_ = std::min(idle_until_, turn.now + kFirstRequestTime);
  return Next::wait;
}

// Sends what is to be sent. False: the connection is over.
bool Connection::flush(Turn& turn) {
  if (!output_.empty()) {
    const IoResult result = channel_.write(std::string_view(output_).substr(sent_));
    sent_ += result.bytes;
    if (result.io == Io::closed) return false;
    if (result.io != Io::done) {
      interest_ = events_of(result.io);
      return true;
    }
    std::string().swap(output_);
    output_share_.resize(0);
    sent_ = 0;
    idle_until_ = turn.now + service_.limits.keep_alive;
  }
  if (turn.replies.empty()) return true;
  const IoResult result = channel_.write(turn.replies);
  if (result.io == Io::closed) return false;
  if (result.io != Io::done) {
    output_.assign(turn.replies, result.bytes);
    output_share_.resize(output_.size());
    write_until_ = turn.now + service_.limits.write_time;
    interest_ = events_of(result.io);
  }
  turn.replies.clear();
  return true;
}

Connection::Read Connection::read(Turn& turn) {
  return pending_.bytes().empty() ? read_to_scratch(turn) : read_on(turn);
}

Connection::Read Connection::read_to_scratch(Turn& turn) {
  const std::span<char> scratch = turn.scratch();
  const IoResult result = channel_.read(scratch);
  if (result.io == Io::closed) return end_of_input(turn);
  if (result.io != Io::done) {
    interest_ = events_of(result.io);
    return Read::nothing;
  }
  const std::string_view bytes(scratch.data(), result.bytes);
  const std::size_t used = answer(bytes, turn);
  if (phase_ == Phase::open && used < bytes.size()) keep(bytes.substr(used), turn);
  return Read::some;
}

Connection::Read Connection::read_on(Turn& turn) {
  if (!take_share(pending_.bytes().size(), turn)) return Read::some;
  const IoResult result = channel_.read(pending_.room(turn));
  if (result.io == Io::closed) return end_of_input(turn);
  if (result.io != Io::done) {
    interest_ = events_of(result.io);
    return Read::nothing;
  }
  pending_.grow_by(result.bytes);
  if (!pending_.head() || pending_.bytes().size() >= pending_.wanted()) answer_kept(turn);
  return Read::some;
}

Connection::Read Connection::end_of_input(Turn& turn) {
  if (!pending_.begun()) {
    channel_.finish();
    return Read::end;
  }
  refuse({400, "the connection ended before the request was whole", {}}, turn);
  return Read::some;
}

void Connection::answer_kept(Turn& turn) {
  unread_requests_ = false;
  const std::size_t used = answer(pending_.bytes(), turn);
  if (phase_ != Phase::open) return;
  if (used == pending_.bytes().size()) {
    forget_input(turn);
    return;
  }
  pending_.drop(used);
  unread_requests_ = !may_answer(turn);
}

// Answers the whole requests at the front of `bytes`; how much they take up.
std::size_t Connection::answer(std::string_view bytes, Turn& turn) {
  std::size_t used = 0;
  while (phase_ == Phase::open && may_answer(turn)) {
    std::string_view rest = bytes.substr(used);
    if (!pending_.head()) {
      // RFC 9112, 2.2: an empty line before a request is none of it.
      while (rest.starts_with("\r\n")) {
        rest.remove_prefix(2);
        used += 2;
      }
      if (rest.empty()) break;
      if (!started_ && rest != "\r") {
        started_ = true;
        request_until_ = turn.now + service_.limits.request_time;
      }
      if (!accept_head(rest, turn)) break;
    }
    const std::optional<Head>& head = pending_.head();
    const std::size_t size = pending_.wanted();
    if (!head || rest.size() < size) break;
    const std::string_view body = rest.substr(0, size).substr(pending_.head_size());
    respond(*head, body, turn);
    --turn.requests_left;
    used += size;
    pending_.end_request();
    started_ = false;
    idle_until_ = turn.now + service_.limits.keep_alive;
  }
  return used;
}

// Whether a further request may be answered before others have their turn and what was replied is
// sent. What cannot be sent has to be kept, within the budget or not: then one at a time.
bool Connection::may_answer(const Turn& turn) const noexcept {
  if (turn.requests_left == 0) return false;
  return turn.replies.empty() || (turn.replies.size() < kMaxUnsent && !service_.budget.exhausted());
}

// Reads the head at the front of `bytes` and finds its route. False: it is not whole, or refused.
bool Connection::accept_head(std::string_view bytes, Turn& turn) {
  const std::size_t limit = service_.limits.head;
  const auto end = find_head_end(bytes.substr(0, limit));
  if (!end) {
    refuse(end.error(), turn);
    return false;
  }
  if (*end == 0) {
    if (bytes.size() >= limit) {
      refuse({431,
              "the request line and the header fields are over " + std::to_string(limit) +
                  " bytes together",
              {}},
             turn);
    }
    return false;
  }
  auto head = parse_head(bytes.substr(0, *end));
  if (!head) {
    refuse(head.error(), turn);
    return false;
  }
  pending_.set_head(*head, *end);
  if (!refused_client_.empty()) {
    refuse({403, refused_client_, {}}, turn);
    return false;
  }
  const auto route = find_route(service_.routes, service_.limits, *head);
  if (!route) {
    refuse(route.error(), turn);
    return false;
  }
  route_ = *route;
  if (bytes.size() >= pending_.wanted()) return true;
  if (!take_share(bytes.size(), turn)) return false;
  if (head->expect_continue) turn.replies += "HTTP/1.1 100 Continue\r\n\r\n";
  return true;
}

void Connection::respond(const Head& head, std::string_view body, Turn& turn) {
  const Request request{head.method, head.path, head.content_type, peer_, body};
  const auto last = [this, &head, &turn] {
    return !head.keep_alive || stopping_ || service_.draining.load(std::memory_order_acquire) ||
           turn.now - opened_ >= service_.limits.max_connection_age;
  };
  const Outcome outcome = service_.responder.respond(
      {*route_, request, head.http_1_0, std::function<bool()>(std::cref(last))}, turn.replies);
  if (!outcome.failure.empty()) {
    service_.observer({Event::Kind::handler_failed, peer_, 500, outcome.failure});
  }
  replied_ = true;
  if (outcome.close) phase_ = Phase::finishing;
}

void Connection::refuse(const Refusal& refusal, Turn& turn) {
  service_.observer({Event::Kind::refused, peer_, refusal.status, refusal.message});
  const std::optional<Head>& head = pending_.head();
  turn.replies += write_refusal(refusal, head && head->method == "HEAD");
  phase_ = Phase::finishing;
  started_ = false;
  forget_input(turn);
}

// Keeps the bytes that are no whole request yet, or whose turn has not come.
void Connection::keep(std::string_view rest, Turn& turn) {
  unread_requests_ = !may_answer(turn);
  if (take_share(rest.size(), turn)) pending_.keep(rest, turn);
}

// What reading on behind `size` bytes needs of the budget; false where it has none left: that is
// answered.
bool Connection::take_share(std::size_t size, Turn& turn) {
  if (pending_.take_share(size)) return true;
  refuse({429, "the server holds as many bytes as it may; try again", {{"Retry-After", "1"}}},
         turn);
  return false;
}

void Connection::forget_input(Turn& turn) {
  unread_requests_ = false;
  pending_.clear(turn);
}

// Nothing more is sent; the client may be sending still.
Connection::Next Connection::finish(Turn& turn) {
  forget_input(turn);
  channel_.finish();
  phase_ = Phase::discarding;
  write_until_ = turn.now + kDiscardTime;
  return discard();
}

Connection::Next Connection::discard() {
  for (int reads = 0; reads < kReadsPerTurn; ++reads) {
    const IoResult result = channel_.discard();
    discarded_ += result.bytes;
    if (result.io == Io::closed || discarded_ >= kDiscardBytes) return Next::end;
    if (result.io != Io::done) {
      interest_ = EPOLLIN;
      return Next::wait;
    }
  }
  return Next::again;
}

}  // namespace http
