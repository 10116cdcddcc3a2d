#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "enforcer/watched_pod.h"

namespace enforcer {

/// The pods of jobs, as the watch shows them. A failed pod stays until it is judged, even if it has
/// vanished: operators delete it at once. Safe for use from many threads.
class PodStore {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes a pod as it is now; what is known of it, or nullopt if it is not ours.
  std::optional<WatchedPod> update(const nlohmann::json& object);
  /// Takes a pod's last state: it is gone. As `update`.
  std::optional<WatchedPod> remove(const nlohmann::json& object, Clock::time_point now);

  /// Between these, `update` is called with each pod that there is; all others are gone.
  void begin_list();
  void end_list(Clock::time_point now);

  /// Pods of a job that are there, and failed ones that were not judged yet.
  [[nodiscard]] std::vector<WatchedPod> pods_of(const std::string& job_uid) const;
  /// Failed pods not judged yet, among the pods of a job, in the order of their ends.
  [[nodiscard]] std::vector<WatchedPod> unjudged(const std::string& job_uid) const;
  [[nodiscard]] bool is_judged(const std::string& pod_uid) const;
  /// The pod is decided about.
  void set_judged(const std::string& pod_uid);

  /// Jobs of all pods.
  [[nodiscard]] std::vector<JobRef> jobs() const;

  /// Forgets vanished pods that nobody judged since `before`: where another process leads.
  void forget_vanished(Clock::time_point before);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t held() const;

 private:
  struct Entry {
    WatchedPod pod;
    bool judged = false;
    bool listed = false;
    std::optional<Clock::time_point> vanished;
  };
  using Entries = std::unordered_map<std::string, Entry>;

  std::optional<WatchedPod> put(const nlohmann::json& object);
  void vanish(Entries::iterator entry, Clock::time_point now);
  Entries::iterator erase(Entries::iterator entry);

  mutable std::mutex mutex_;
  Entries entries_;                                                // by the pod's uid
  std::unordered_map<std::string, std::set<std::string>> by_job_;  // uids
};

}  // namespace enforcer
