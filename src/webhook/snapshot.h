#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace webhook {

/// A value that is replaced as a whole while others read it: each reader keeps what it took. Safe
/// for use from many threads. (std::atomic<std::shared_ptr> would do, but ThreadSanitizer reports
/// g++ 12's.)
template <class T>
class Snapshot {
 public:
  /// `value` is never null.
  explicit Snapshot(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  [[nodiscard]] std::shared_ptr<const T> get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void set(std::shared_ptr<const T> value) {
    const std::lock_guard lock(mutex_);
    value_.swap(value);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace webhook
