#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>

namespace kube {

/// A token bucket: `burst` calls at once, `per_second` in the long run. Safe for use from many
/// threads, which are served in turn.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  /// `per_second` > 0, `burst` >= 1.
  RateLimiter(double per_second, int burst)
      : interval_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(1.0 / per_second))),
        room_(interval_ * burst) {}

  /// Takes a token; when the call may be made, which is not before `now`.
  [[nodiscard]] Clock::time_point reserve(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    // `next_` runs ahead of the time by the tokens that are taken.
    next_ = std::max(next_, now - room_) + interval_;
    return std::max(now, next_);
  }

 private:
  Clock::duration interval_;
  Clock::duration room_;
  std::mutex mutex_;
  Clock::time_point next_ = Clock::time_point::min() + std::chrono::hours(1);
};

}  // namespace kube
