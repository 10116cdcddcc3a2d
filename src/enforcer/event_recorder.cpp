#include "enforcer/event_recorder.h"

#include <chrono>
#include <utility>

namespace enforcer {
namespace {

/// How long the end waits for what is not recorded yet.
constexpr std::chrono::seconds kLastWords{3};

}  // namespace

EventRecorder::EventRecorder(kube::Api& api, std::string instance,
                             std::function<void(const kube::Error&)> on_error)
    : api_(api),
      instance_(std::move(instance)),
      on_error_(std::move(on_error)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

EventRecorder::~EventRecorder() = default;

void EventRecorder::record(kube::Event event) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kRoom) {
      ++dropped_;
      return;
    }
    waiting_.push_back(std::move(event));
  }
  changed_.notify_one();
}

std::size_t EventRecorder::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void EventRecorder::run(const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  unsigned long number = 0;
  Clock::time_point end = Clock::time_point::max();
  while (true) {
    kube::Event event;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
      if (waiting_.empty()) return;
      if (stop.stop_requested() && end == Clock::time_point::max()) end = Clock::now() + kLastWords;
      if (Clock::now() > end) return;
      event = std::move(waiting_.front());
      waiting_.pop_front();
    }
    const auto sent = api_.send(kube::create_event(event, kComponent, instance_,
                                                   std::chrono::system_clock::now(), ++number));
    // An object that is gone meanwhile, or a namespace that is going, takes no more events.
    if (!sent && sent.error().status != 404 && sent.error().status != 403) on_error_(sent.error());
    if (!sent) {
      const std::lock_guard lock(mutex_);
      ++dropped_;
    }
  }
}

}  // namespace enforcer
