#pragma once

#include <chrono>
#include <cstddef>

namespace cli {

/// A line on standard error that tells how far a long run is; only on a terminal, and only once the
/// run takes longer than a person would wait without a word. For one thread.
class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;

  /// Tells that `done` of the total are done.
  void update(std::size_t done);

  /// Takes the line away, before something else is written to the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t total_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace cli
