#pragma once

#include <cerrno>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/eventfd.h>

#include "http/file_descriptor.h"

namespace http {

/// Hands values over to the thread that waits for `descriptor`. Thread-safe.
template <class T>
class Mailbox {
 public:
  /// Throws std::system_error if the system has no descriptor left.
  Mailbox() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_.valid()) throw std::system_error(errno, std::generic_category(), "eventfd");
  }

  void put(T value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
    }
    // It can only fail where the counter is full, and then the descriptor is readable already.
    ::eventfd_write(event_.get(), 1);
  }

  /// Everything that was put in since, in order.
  [[nodiscard]] std::vector<T> take() {
    eventfd_t count = 0;
    ::eventfd_read(event_.get(), &count);
    const std::lock_guard lock(mutex_);
    return std::exchange(values_, {});
  }

  /// Readable while there is something to take.
  [[nodiscard]] int descriptor() const noexcept { return event_.get(); }

 private:
  FileDescriptor event_;
  std::mutex mutex_;
  std::vector<T> values_;  // guarded by mutex_
};

}  // namespace http
