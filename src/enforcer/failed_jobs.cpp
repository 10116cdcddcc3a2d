#include "enforcer/failed_jobs.h"

#include <utility>

namespace enforcer {

bool is_left_over(const WatchedPod& pod, const FailedJob& job) {
  if (pod.phase != WatchedPod::Phase::active || pod.deleting) return false;
  // Times of the API are of one form: they compare as text.
  return pod.name == job.pod || (!job.completed.empty() && pod.created > job.completed);
}

void FailedJobs::add(const std::string& uid, FailedJob job, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [now](const auto& item) { return now - item.second.at > kWatched; });
  jobs_.insert_or_assign(uid, Entry{std::move(job), now});
}

std::optional<FailedJob> FailedJobs::find(const std::string& uid) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(uid);
  if (found == jobs_.end()) return std::nullopt;
  return found->second.job;
}

std::optional<FailedJobs::Clock::time_point> FailedJobs::added(const std::string& uid) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(uid);
  if (found == jobs_.end()) return std::nullopt;
  return found->second.at;
}

}  // namespace enforcer
