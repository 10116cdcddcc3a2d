#pragma once

#include <string>
#include <string_view>

#include "enforcer/event_recorder.h"
#include "enforcer/judgement.h"
#include "enforcer/metrics.h"
#include "webhook/log.h"

namespace enforcer {

/// Tells people what the enforcer does, or under dry run would do: Events, metrics, log lines. Safe
/// for use from many threads.
class Reporter {
 public:
  /// All must outlive it.
  Reporter(EventRecorder& events, Metrics& metrics, webhook::Log& log, bool dry_run)
      : events_(events), metrics_(metrics), log_(log), dry_run_(dry_run) {}

  /// A pod was judged; where its job failed for it, both get an Event.
  void verdict(const WatchedPod& pod, const Judgement& judgement);
  /// A pod that the operator made for a failed job is removed.
  void removed(const WatchedPod& pod);
  /// Somebody refused that a pod's finalizer is removed.
  void refused(const WatchedPod& pod, const kube::Error& error);
  /// A call failed; it will be made again.
  void api_error(std::string_view call, const kube::Error& error);

 private:
  void event(const WatchedPod& pod, bool about_job, std::string_view reason,
             const std::string& message, bool warning = true);

  EventRecorder& events_;
  Metrics& metrics_;
  webhook::Log& log_;
  bool dry_run_;
};

}  // namespace enforcer
