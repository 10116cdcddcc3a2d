#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "enforcer/watched_pod.h"

namespace enforcer {

/// A job that we failed.
struct FailedJob {
  std::string pod;        ///< name of the pod that it failed for
  std::string completed;  ///< completionTime, as written
};

/// Whether the operator made `pod` while, or after, its job failed: it did not see in time that the
/// job had. It has the name of the pod that the job failed for, which had ended, or was made in a
/// later second than the job's end.
[[nodiscard]] bool is_left_over(const WatchedPod& pod, const FailedJob& job);

/// The jobs that we failed lately, by uid: their pods are looked at for such that are left over.
/// Safe for use from many threads.
class FailedJobs {
 public:
  using Clock = std::chrono::steady_clock;
  /// The operator's cache lags by seconds at most.
  static constexpr std::chrono::minutes kWatched{10};

  void add(const std::string& uid, FailedJob job, Clock::time_point now);
  [[nodiscard]] std::optional<FailedJob> find(const std::string& uid) const;
  /// When the job was added; nullopt: it was not.
  [[nodiscard]] std::optional<Clock::time_point> added(const std::string& uid) const;

 private:
  struct Entry {
    FailedJob job;
    Clock::time_point at;
  };
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> jobs_;
};

}  // namespace enforcer
