#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace kube {

/// Waits for `time`, or until a stop is asked for. Whether the time passed whole.
inline bool wait_for(const std::stop_token& stop, std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  return !never.wait_for(lock, stop, time, [] { return false; }) && !stop.stop_requested();
}

}  // namespace kube
