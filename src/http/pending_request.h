#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "http/byte_budget.h"
#include "http/byte_buffer.h"
#include "http/head.h"
#include "http/turn.h"

namespace http {

/// The request of a connection that is not whole yet: the bytes that were kept of it, and its head
/// as soon as that is whole. The head's views follow the bytes wherever they move. For the loop's
/// thread.
class PendingRequest {
 public:
  explicit PendingRequest(ByteBudget& budget) noexcept : share_(budget) {}

  /// Whether there is anything of a request.
  [[nodiscard]] bool begun() const noexcept { return head_ || !bytes_.empty(); }

  /// What was kept; empty where the request is still in the loop's memory.
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_.view(); }

  /// The head is whole: it takes `size` bytes at the front of the request.
  void set_head(const Head& head, std::size_t size) noexcept {
    head_ = head;
    head_size_ = size;
  }
  [[nodiscard]] const std::optional<Head>& head() const noexcept { return head_; }
  [[nodiscard]] std::size_t head_size() const noexcept { return head_size_; }

  /// How many bytes it has in all; while the head is not whole, how many to have room for.
  [[nodiscard]] std::size_t wanted() const noexcept;

  /// Takes what reading on behind `size` bytes needs of the budget; false where it has none left.
  /// Memory that nothing was written to is none yet, so that a length that is only announced takes
  /// nothing from others.
  [[nodiscard]] bool take_share(std::size_t size) noexcept;

  /// Room to read on into, after `take_share` of what is kept; `grow_by` tells how much was read.
  [[nodiscard]] std::span<char> room(Turn& turn);
  void grow_by(std::size_t bytes) noexcept { bytes_.grow_by(bytes); }

  /// Keeps `rest`, which lies elsewhere and which there is a share for.
  void keep(std::string_view rest, Turn& turn);

  /// The request is answered: what follows it begins another.
  void end_request() noexcept { head_.reset(); }
  /// Takes `count` bytes of answered requests off the front of what is kept.
  void drop(std::size_t count) noexcept;

  /// Nothing is kept any more; the memory goes back.
  void clear(Turn& turn) noexcept;

 private:
  void make_room(std::size_t size, Turn& turn);

  ByteBuffer bytes_;
  BudgetShare share_;
  std::size_t taken_ = 0;  // of the budget
  std::optional<Head> head_;
  std::size_t head_size_ = 0;
};

}  // namespace http
