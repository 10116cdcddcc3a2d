#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "kube/api.h"
#include "kube/event.h"

namespace enforcer {

/// Who the events are from.
inline constexpr const char* kComponent = "tfjob-enforcer";

/// Records Events in a thread of its own, one after the other, so that nothing waits for them. What
/// finds no room, or fails, is dropped and counted: Events are for people, verdicts do not depend
/// on them. Safe for use from many threads.
class EventRecorder {
 public:
  static constexpr std::size_t kRoom = 4096;

  /// `on_error` is called in the recorder's thread. `api` must outlive it.
  EventRecorder(kube::Api& api, std::string instance,
                std::function<void(const kube::Error&)> on_error);
  /// Tries to record what waits, for some seconds at most.
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  void record(kube::Event event);
  [[nodiscard]] std::size_t dropped() const;

 private:
  void run(const std::stop_token& stop);

  kube::Api& api_;
  std::string instance_;
  std::function<void(const kube::Error&)> on_error_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<kube::Event> waiting_;
  std::size_t dropped_ = 0;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace enforcer
