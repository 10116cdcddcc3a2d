#pragma once

#include <algorithm>
#include <chrono>
#include <random>

namespace kube {

/// Waiting times that double from `first` to `last`, each with up to half of it added or taken at
/// random, so that many clients do not come back together. For one thread at a time.
class Backoff {
 public:
  Backoff(std::chrono::milliseconds first, std::chrono::milliseconds last)
      : first_(first), last_(last), current_(first) {}

  /// How long to wait now.
  [[nodiscard]] std::chrono::milliseconds next() {
    const auto base = current_;
    current_ = std::min(current_ * 2, last_);
    std::uniform_real_distribution<double> factor(0.5, 1.5);
    return std::chrono::duration_cast<std::chrono::milliseconds>(base * factor(random_));
  }
  /// What was tried has succeeded.
  void reset() noexcept { current_ = first_; }

 private:
  std::chrono::milliseconds first_;
  std::chrono::milliseconds last_;
  std::chrono::milliseconds current_;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace kube
