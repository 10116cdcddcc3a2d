#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "http/byte_buffer.h"
#include "http/request.h"

namespace http {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

/// What a loop lends to the connection whose turn it is, so that connections own memory only while
/// a request is incomplete or a reply unsent. For the loop's thread.
class Turn {
 public:
  Deadline now;             ///< taken once for all connections that are ready
  int handshakes_left = 0;  ///< a handshake costs as much as several reviews
  int requests_left = 0;    ///< that the connection may have answered before others have their turn

  /// Memory to read into; padding follows it.
  [[nodiscard]] std::span<char> scratch() noexcept { return {scratch_.get(), kScratch}; }

  /// Replies that were written but not sent yet; empty between two connections.
  std::string replies;

  /// A buffer for a request that is larger than the scratch memory; give it back after use.
  [[nodiscard]] ByteBuffer borrow() noexcept { return std::move(spare_); }
  void give_back(ByteBuffer buffer) noexcept {
    buffer.clear();
    if (buffer.capacity() <= kMaxSpare && buffer.capacity() > spare_.capacity()) {
      spare_ = std::move(buffer);
    }
  }

  /// Replies of megabytes must not stay allocated.
  void trim() {
    replies.clear();
    if (replies.capacity() > kMaxSpare) std::string().swap(replies);
  }

 private:
  static constexpr std::size_t kScratch = std::size_t{64} * 1024;
  static constexpr std::size_t kMaxSpare = std::size_t{1024} * 1024;

  std::unique_ptr<char[]> scratch_ =
      std::make_unique_for_overwrite<char[]>(kScratch + kBodyPadding);
  ByteBuffer spare_;
};

}  // namespace http
