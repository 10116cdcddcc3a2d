#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "http/connection.h"
#include "http/mailbox.h"
#include "http/openssl.h"
#include "http/service.h"
#include "http/turn.h"

namespace http {

/// A connection that was accepted, on its way to a loop.
struct Arrival {
  FileDescriptor socket;             ///< non-blocking
  std::shared_ptr<SSL_CTX> context;  ///< null: plain HTTP
  std::string peer;
};

/// Owns connections and drives them on one thread by epoll(7).
class EventLoop {
 public:
  /// `service` must outlive it. Throws std::system_error if the system has no descriptor left.
  explicit EventLoop(Service& service);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Drives connections until `stop` and their end.
  void run();

  /// The connection is counted in `Service::connections` already. From any thread.
  void take(Arrival arrival);
  /// Nothing arrives any more: finishes what is under way, for `grace` at most, and ends `run`.
  /// From any thread, once.
  void stop(std::chrono::milliseconds grace);

  /// How many connections it has. From any thread.
  [[nodiscard]] std::size_t connections() const noexcept {
    return count_.load(std::memory_order_relaxed);
  }

 private:
  struct Entry;
  using Entries = std::list<std::unique_ptr<Entry>>;
  using Timers = std::set<std::pair<Deadline, Entry*>>;

  struct Message {
    Arrival arrival;
    bool stop = false;
    std::chrono::milliseconds grace{0};
  };

  [[nodiscard]] int wait_time() const;
  void read_mail();
  void add(Arrival arrival);
  void begin_to_stop(std::chrono::milliseconds grace);
  void run_timers();
  /// Brings epoll and timer in line with what the connection waits for, or destroys it.
  void settle(Entry& entry, Connection::Next next);
  void set_timer(Entry& entry, Deadline deadline);
  void destroy(Entry& entry);
  void forget_one();

  Service& service_;
  FileDescriptor epoll_;
  Mailbox<Message> mail_;
  Turn turn_;
  Entries entries_;
  Timers timers_;
  std::vector<Entry*> again_;  // null: it was destroyed
  bool stopping_ = false;
  Deadline cut_off_ = Deadline::max();
  std::atomic<std::size_t> count_{0};
};

}  // namespace http
