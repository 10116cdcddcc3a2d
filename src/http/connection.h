#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/epoll.h>

#include "http/byte_budget.h"
#include "http/channel.h"
#include "http/head.h"
#include "http/pending_request.h"
#include "http/refusal.h"
#include "http/service.h"
#include "http/turn.h"

namespace http {

/// One connection from the handshake to its end, as a machine that a loop drives: it never waits,
/// but says what it waits for. For the loop's thread.
class Connection {
 public:
  Connection(Service& service, Channel channel, std::string peer, Deadline now);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  enum class Next {
    wait,   ///< for `interest` on the socket, or for `deadline`
    again,  ///< there is more to do; others have their turn first
    end     ///< it is to be destroyed
  };

  /// Does what can be done now, up to a bound.
  [[nodiscard]] Next advance(Turn& turn);
  /// `deadline` has passed.
  [[nodiscard]] Next time_out(Turn& turn);
  /// The server stops: what has come is answered still, and nothing else is waited for, but for the
  /// first request of a new connection a moment.
  [[nodiscard]] Next stop(Turn& turn);

  [[nodiscard]] int descriptor() const noexcept { return channel_.descriptor(); }
  /// EPOLLIN and EPOLLOUT as needed.
  [[nodiscard]] std::uint32_t interest() const noexcept { return interest_; }
  [[nodiscard]] Deadline deadline() const noexcept;

 private:
  enum class Phase {
    handshake,
    open,       ///< requests are read and answered
    finishing,  ///< the last reply is being sent
    discarding  ///< it is sent, and the client may be sending still
  };

  [[nodiscard]] Next shake_hands(Turn& turn);
  [[nodiscard]] Next serve(Turn& turn);
  [[nodiscard]] Next rest(const Turn& turn);
  [[nodiscard]] Next discard();
  [[nodiscard]] Next finish(Turn& turn);

  [[nodiscard]] bool flush(Turn& turn);
  /// What `read` came to: bytes were answered or stored, nothing is there now, or it is over.
  enum class Read { some, nothing, end };
  [[nodiscard]] Read read(Turn& turn);
  [[nodiscard]] Read read_to_scratch(Turn& turn);
  [[nodiscard]] Read read_on(Turn& turn);
  [[nodiscard]] Read end_of_input(Turn& turn);
  void answer_kept(Turn& turn);

  [[nodiscard]] std::size_t answer(std::string_view bytes, Turn& turn);
  [[nodiscard]] bool may_answer(const Turn& turn) const noexcept;
  [[nodiscard]] bool accept_head(std::string_view bytes, Turn& turn);
  void respond(const Head& head, std::string_view body, Turn& turn);
  void refuse(const Refusal& refusal, Turn& turn);
  void keep(std::string_view rest, Turn& turn);
  [[nodiscard]] bool take_share(std::size_t size, Turn& turn);
  void forget_input(Turn& turn);

  Service& service_;
  Channel channel_;
  std::string peer_;
  Deadline opened_;
  Phase phase_;
  std::uint32_t interest_ = EPOLLIN;

  PendingRequest pending_;
  const Route* route_ = nullptr;
  bool unread_requests_ = false;  // `pending_` may hold whole ones, to be answered later

  // What could not be sent yet.
  std::string output_;
  std::size_t sent_ = 0;
  BudgetShare output_share_;

  Deadline idle_until_;
  Deadline request_until_;
  Deadline write_until_;  // also: until when a last reply is lingered over
  bool started_ = false;  // a request is under way, and its time runs
  bool replied_ = false;
  bool stopping_ = false;
  std::size_t discarded_ = 0;
  std::string refused_client_;  // why every request of this client is refused; empty: it is not
};

}  // namespace http
