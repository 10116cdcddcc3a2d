#include "http/pending_request.h"

#include <algorithm>
#include <utility>

namespace http {
namespace {

// How far the budget is taken ahead of what has come.
constexpr std::size_t kShareStep = std::size_t{64} * 1024;

// What a head is read into at first.
constexpr std::size_t kFirstRoom = 2048;

}  // namespace

std::size_t PendingRequest::wanted() const noexcept {
  if (head_) return head_size_ + static_cast<std::size_t>(head_->content_length.value_or(0));
  return std::max(kFirstRoom, bytes_.size() * 2);
}

bool PendingRequest::take_share(std::size_t size) noexcept {
  // Requests that wait behind one another may be more than the first one wants.
  const std::size_t share = std::max(size, std::min(wanted(), size + kShareStep));
  if (!share_.try_resize(share)) return false;
  taken_ = share;
  return true;
}

std::span<char> PendingRequest::room(Turn& turn) {
  if (bytes_.size() == bytes_.capacity()) make_room(wanted(), turn);
  const std::span<char> room = bytes_.room();
  return room.first(std::min(room.size(), taken_ - bytes_.size()));
}

void PendingRequest::keep(std::string_view rest, Turn& turn) {
  make_room(std::max(wanted(), rest.size()), turn);
  if (head_) move_head(*head_, rest, bytes_.view());
  bytes_.append(rest);
}

void PendingRequest::drop(std::size_t count) noexcept {
  const std::string_view rest = bytes_.view().substr(count);
  bytes_.drop(count);
  if (head_) move_head(*head_, rest, bytes_.view());
}

void PendingRequest::clear(Turn& turn) noexcept {
  head_.reset();
  turn.give_back(std::exchange(bytes_, {}));
  share_.resize(0);
  taken_ = 0;
}

void PendingRequest::make_room(std::size_t size, Turn& turn) {
  if (bytes_.empty() && size > turn.scratch().size()) bytes_ = turn.borrow();
  // Where nothing is kept yet, the head is elsewhere.
  const std::string_view before = bytes_.view();
  bytes_.reserve(size);
  if (head_ && !before.empty()) move_head(*head_, before, bytes_.view());
}

}  // namespace http
