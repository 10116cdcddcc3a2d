#include "http/event_loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <new>
#include <system_error>

#include <sys/epoll.h>

namespace http {
namespace {

constexpr int kEventsPerTurn = 128;
constexpr int kHandshakesPerTurn = 4;

}  // namespace

struct EventLoop::Entry {
  Entry(Service& service, Channel channel, std::string peer, Deadline now)
      : connection(service, std::move(channel), std::move(peer), now) {}

  Connection connection;
  std::uint32_t registered = 0;  // with epoll
  Timers::iterator timer;
  bool queued = false;  // in `again_`
  Entries::iterator self;
};

EventLoop::EventLoop(Service& service) : service_(service), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_.valid()) throw std::system_error(errno, std::generic_category(), "epoll_create1");
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, mail_.descriptor(), &event) != 0) {
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }
}

EventLoop::~EventLoop() = default;

void EventLoop::take(Arrival arrival) {
  count_.fetch_add(1, std::memory_order_relaxed);
  mail_.put({.arrival = std::move(arrival)});
}

void EventLoop::stop(std::chrono::milliseconds grace) {
  mail_.put({.arrival = {}, .stop = true, .grace = grace});
}

void EventLoop::run() {
  std::array<epoll_event, kEventsPerTurn> events{};
  while (!stopping_ || !entries_.empty()) {
    const int ready =
        ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), wait_time());
    turn_.now = Clock::now();
    turn_.handshakes_left = kHandshakesPerTurn;
    bool mail = false;
    for (int i = 0; i < ready; ++i) {
      auto* const entry = static_cast<Entry*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (entry == nullptr) {
        mail = true;
      } else if (!entry->queued) {
        settle(*entry, entry->connection.advance(turn_));
      }
    }
    const std::vector<Entry*> again = std::exchange(again_, {});
    for (Entry* const entry : again) {
      if (entry != nullptr) entry->queued = false;
    }
    for (Entry* const entry : again) {
      if (entry != nullptr) settle(*entry, entry->connection.advance(turn_));
    }
    run_timers();
    if (mail) read_mail();
    if (turn_.now >= cut_off_) {
      while (!entries_.empty()) destroy(*entries_.front());
    }
  }
}

int EventLoop::wait_time() const {
  if (!again_.empty()) return 0;
  Deadline next = cut_off_;
  if (!timers_.empty()) next = std::min(next, timers_.begin()->first);
  if (next == Deadline::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
}

void EventLoop::read_mail() {
  for (Message& message : mail_.take()) {
    if (message.stop) {
      begin_to_stop(message.grace);
    } else {
      add(std::move(message.arrival));
    }
  }
}

void EventLoop::add(Arrival arrival) {
  const std::string peer = arrival.peer;
  const auto give_up = [this, &peer](const std::string& why) {
    service_.observer({Event::Kind::accept_failed, peer, 0, "the connection was given up: " + why});
  };
  std::unique_ptr<Entry> made;
  try {
    Channel channel(std::move(arrival.socket), arrival.context.get());
    made =
        std::make_unique<Entry>(service_, std::move(channel), std::move(arrival.peer), turn_.now);
  } catch (const std::bad_alloc&) {
    forget_one();
    give_up("out of memory");
    return;
  }
  Entry& entry = *made;
  entry.self = entries_.insert(entries_.end(), std::move(made));
  entry.timer = timers_.emplace(entry.connection.deadline(), &entry).first;
  epoll_event event{};
  event.events = entry.registered = entry.connection.interest();
  event.data.ptr = &entry;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, entry.connection.descriptor(), &event) == 0) return;
  const std::string why = std::generic_category().message(errno);
  destroy(entry);
  give_up(why);
}

void EventLoop::begin_to_stop(std::chrono::milliseconds grace) {
  stopping_ = true;
  cut_off_ = Clock::now() + grace;
  // A handshake that is under way is not held up by others' here.
  turn_.handshakes_left = std::numeric_limits<int>::max();
  for (auto at = entries_.begin(); at != entries_.end();) {
    Entry& entry = **at++;
    settle(entry, entry.connection.stop(turn_));
  }
}

void EventLoop::run_timers() {
  while (!timers_.empty() && timers_.begin()->first <= turn_.now) {
    Entry& entry = *timers_.begin()->second;
    const Deadline deadline = entry.connection.deadline();
    if (deadline > turn_.now) {
      set_timer(entry, deadline);
    } else {
      settle(entry, entry.connection.time_out(turn_));
    }
  }
}

void EventLoop::settle(Entry& entry, Connection::Next next) {
  if (next == Connection::Next::end) {
    destroy(entry);
    return;
  }
  if (next == Connection::Next::again && !entry.queued) {
    entry.queued = true;
    again_.push_back(&entry);
  }
  if (const std::uint32_t wanted = entry.connection.interest(); wanted != entry.registered) {
    epoll_event event{};
    event.events = entry.registered = wanted;
    event.data.ptr = &entry;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, entry.connection.descriptor(), &event);
  }
  // A timer that is too early is moved when it fires: most deadlines move away before.
  const Deadline deadline = entry.connection.deadline();
  if (deadline < entry.timer->first) set_timer(entry, deadline);
}

void EventLoop::set_timer(Entry& entry, Deadline deadline) {
  auto node = timers_.extract(entry.timer);
  node.value().first = deadline;
  entry.timer = timers_.insert(std::move(node)).position;
}

void EventLoop::destroy(Entry& entry) {
  if (entry.queued) std::ranges::replace(again_, &entry, static_cast<Entry*>(nullptr));
  timers_.erase(entry.timer);
  entries_.erase(entry.self);
  forget_one();
}

void EventLoop::forget_one() {
  count_.fetch_sub(1, std::memory_order_relaxed);
  service_.connections.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace http
