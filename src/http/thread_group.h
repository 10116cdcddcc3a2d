#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include <pthread.h>

namespace http {

/// Threads with small stacks, as many as are needed. Thread-safe, but for `join_all`, which one
/// thread may call once nobody starts any more.
class ThreadGroup {
 public:
  ThreadGroup() = default;
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;
  /// Joins all.
  ~ThreadGroup();

  /// Runs `body`, which must not throw, on a new thread. False if the system gives none.
  [[nodiscard]] bool start(std::move_only_function<void()> body);

  /// How many are running.
  [[nodiscard]] std::size_t size() const;

  /// Waits until none is running or the deadline; whether none is.
  bool wait_until_empty(std::chrono::steady_clock::time_point deadline);

  void join_all();

 private:
  struct Start;
  static void* run(void* start);
  void join_finished();

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  std::vector<pthread_t> finished_;  // ended or about to, not joined yet
};

}  // namespace http
