#pragma once

#include <atomic>
#include <cerrno>
#include <system_error>

#include <sys/eventfd.h>

#include "http/file_descriptor.h"

namespace http {

/// Something that becomes true once and for all, and that poll(2) can wait for. Thread-safe;
/// `raise` may be called from a signal handler.
class SignalFlag {
 public:
  /// Throws std::system_error if the system has no descriptor left.
  SignalFlag() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_.valid()) throw std::system_error(errno, std::generic_category(), "eventfd");
  }

  void raise() noexcept {
    raised_.store(true, std::memory_order_release);
    // It can only fail where the counter is full, and then the descriptor is readable already.
    ::eventfd_write(event_.get(), 1);
  }

  [[nodiscard]] bool raised() const noexcept { return raised_.load(std::memory_order_acquire); }

  /// Readable from `raise` on.
  [[nodiscard]] int descriptor() const noexcept { return event_.get(); }

 private:
  FileDescriptor event_;
  std::atomic<bool> raised_{false};
};

}  // namespace http
