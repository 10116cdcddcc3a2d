#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>

#include "enforcer/job_ref.h"

namespace enforcer {

/// Jobs to look at. One that is added twice is taken once, and is never with two workers: added
/// while one has it, it comes again when that one is done. A job that fails comes back after a time
/// that doubles from failure to failure. Safe for use from many threads. Source: client-go's
/// util/workqueue.
class WorkQueue {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirstDelay{50};
  static constexpr std::chrono::milliseconds kLastDelay{60'000};

  void add(const JobRef& job);
  void add_after(const JobRef& job, Clock::duration delay);

  /// Waits for a job, and hands it to the caller until `done`; nullopt when a stop is asked for.
  std::optional<JobRef> take(const std::stop_token& stop);
  /// The caller is done with it; it comes again if it was added meanwhile.
  void done(const JobRef& job);

  /// Adds it after its delay, which doubles until `succeeded`, at least after `least`.
  void retry(const JobRef& job, Clock::duration least = {});
  void succeeded(const JobRef& job);

  /// Jobs that wait to be taken now.
  [[nodiscard]] std::size_t size() const;

 private:
  void put(const JobRef& job);
  /// Moves what is due to the waiting ones; when the next is, if any.
  std::optional<Clock::time_point> promote(Clock::time_point now);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<Clock::time_point, JobRef>
      ready_;                 // by the time of adding: first come first served
  std::set<JobRef> waiting_;  // those in ready_
  std::set<JobRef> taken_;
  std::set<JobRef> again_;  // added while taken
  std::map<JobRef, Clock::time_point> delayed_;
  std::map<JobRef, Clock::duration> delays_;
  unsigned long additions_ = 0;  // to delayed_
};

}  // namespace enforcer
