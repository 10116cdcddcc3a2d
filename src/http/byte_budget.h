#pragma once

#include <atomic>
#include <cstddef>

namespace http {

/// How many bytes the connections of a server may hold together. Thread-safe.
class ByteBudget {
 public:
  explicit ByteBudget(std::size_t limit) noexcept : limit_(limit) {}
  ByteBudget(const ByteBudget&) = delete;
  ByteBudget& operator=(const ByteBudget&) = delete;

  /// Takes `bytes` if that many are left.
  [[nodiscard]] bool try_take(std::size_t bytes) noexcept {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_) return true;
    give_back(bytes);
    return false;
  }
  /// Takes `bytes` even where the limit is reached: for what has to be kept in any case.
  void take(std::size_t bytes) noexcept { used_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_back(std::size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  /// Whether it has nothing left.
  [[nodiscard]] bool exhausted() const noexcept { return used() >= limit_; }

  [[nodiscard]] std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }

 private:
  std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

/// The share of a budget that one holder has; given back with it. For one thread at a time.
class BudgetShare {
 public:
  explicit BudgetShare(ByteBudget& budget) noexcept : budget_(&budget) {}
  BudgetShare(const BudgetShare&) = delete;
  BudgetShare& operator=(const BudgetShare&) = delete;
  ~BudgetShare() { budget_->give_back(bytes_); }

  /// Makes the share as large as `bytes`; false, and nothing changes, where it cannot grow so far.
  [[nodiscard]] bool try_resize(std::size_t bytes) noexcept {
    if (bytes > bytes_ && !budget_->try_take(bytes - bytes_)) return false;
    if (bytes < bytes_) budget_->give_back(bytes_ - bytes);
    bytes_ = bytes;
    return true;
  }
  /// The same without a limit.
  void resize(std::size_t bytes) noexcept {
    if (bytes > bytes_) budget_->take(bytes - bytes_);
    if (bytes < bytes_) budget_->give_back(bytes_ - bytes);
    bytes_ = bytes;
  }

 private:
  ByteBudget* budget_;
  std::size_t bytes_ = 0;
};

}  // namespace http
