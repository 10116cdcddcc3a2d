#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "admission/settings.h"
#include "enforcer/failed_jobs.h"
#include "enforcer/job_state.h"
#include "enforcer/judgement.h"
#include "enforcer/pod_store.h"
#include "enforcer/reporter.h"
#include "kube/api.h"

namespace enforcer {

/// What a reconciler works with. All must outlive it.
struct ReconcilerParts {
  kube::Api& api;
  PodStore& pods;
  FailedJobs& failed;
  Reporter& reporter;
  std::function<std::shared_ptr<const admission::Settings>()> settings;
  bool dry_run = false;  ///< nothing is written
};

/// Judges the failed pods of one job and does what follows. Each step can be repeated: whatever a
/// process that ended in between has done is found in the API server. Safe for use from many
/// threads, one for a job at a time.
class Reconciler {
 public:
  /// How long a pod is held after its job was failed: the operator, which works from a cache, must
  /// have seen the failure before it sees the pod go.
  static constexpr std::chrono::milliseconds kHoldAfterFailure{1000};

  /// Under dry run retries are counted here alone.
  explicit Reconciler(ReconcilerParts parts) : parts_(std::move(parts)) {}

  /// Whether anything of `pod` calls for `reconcile`.
  [[nodiscard]] bool concerns(const WatchedPod& pod) const;

  /// Looks at one job. The value says after which time to look again, if at all; the error that a
  /// call failed, and the job is to be looked at again.
  std::expected<std::optional<std::chrono::milliseconds>, kube::Error> reconcile(const JobRef& job);

 private:
  using Done = std::expected<void, kube::Error>;
  using Again = std::optional<std::chrono::milliseconds>;

  [[nodiscard]] bool sweeps() const;
  [[nodiscard]] bool is_to_release(const WatchedPod& pod) const;

  std::expected<std::optional<JobState>, kube::Error> get(const JobRef& job);
  /// Judges what is to be judged.
  Done judge_pods(const JobRef& job);
  /// One attempt, on the job as it is now; false: it changed meanwhile, try again.
  std::expected<bool, kube::Error> judge_once(const JobRef& job);
  /// Nothing of this job is judged, because of `why`.
  void leave(const std::vector<WatchedPod>& pods, const std::optional<JobState>& state,
             const std::string& why);
  /// How much longer the pods of a job that was failed just now are held.
  [[nodiscard]] std::chrono::milliseconds hold(const JobRef& job) const;
  Done fail(const JobRef& job, const JobState& state, const WatchedPod& pod,
            const Judgement& judgement);
  Done save(const JobRef& job, const JobState& state);
  Done remove_left_over(const JobRef& job);
  Done release_pods(const JobRef& job);

  ReconcilerParts parts_;
  std::mutex mutex_;
  std::unordered_map<std::string, Retries> counted_;  // under dry run, by the job's uid
};

}  // namespace enforcer
