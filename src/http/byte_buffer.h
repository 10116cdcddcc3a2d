#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "http/request.h"

namespace http {

/// Bytes that arrived, with `kBodyPadding` readable ones behind them. Grows without writing to the
/// memory that it does not use. For one thread at a time.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(ByteBuffer&& other) noexcept
      : memory_(std::move(other.memory_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  ByteBuffer& operator=(ByteBuffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;
  ~ByteBuffer() = default;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::string_view view() const noexcept { return {memory_.get(), size_}; }

  /// Makes room for `capacity` bytes in all; views into the buffer end where it grows.
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    auto memory = std::make_unique_for_overwrite<char[]>(capacity + kBodyPadding);
    if (size_ > 0) std::memcpy(memory.get(), memory_.get(), size_);
    memory_ = std::move(memory);
    capacity_ = capacity;
  }

  /// The room behind the bytes; `grow_by` tells how much of it was filled.
  [[nodiscard]] std::span<char> room() noexcept {
    return {memory_.get() + size_, capacity_ - size_};
  }
  void grow_by(std::size_t bytes) noexcept { size_ += bytes; }

  /// `bytes` may not be the buffer's own; there has to be room.
  void append(std::string_view bytes) noexcept {
    std::memcpy(memory_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }

  /// Takes `bytes` off the front; the rest moves there.
  void drop(std::size_t bytes) noexcept {
    size_ -= bytes;
    std::memmove(memory_.get(), memory_.get() + bytes, size_);
  }

  void clear() noexcept { size_ = 0; }

 private:
  std::unique_ptr<char[]> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace http
