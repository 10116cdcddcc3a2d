#include "enforcer/reporter.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace enforcer {
namespace {

using webhook::LogLevel;

std::string_view name_of(Action action, bool dry_run) {
  switch (action) {
    case Action::fail:
      return dry_run ? "would_fail" : "failed";
    case Action::count:
      return "retried";
    case Action::retry:
      return "disrupted";
    case Action::leave:
      return "left";
  }
  return "left";
}

}  // namespace

void Reporter::event(const WatchedPod& pod, bool about_job, std::string_view reason,
                     const std::string& message, bool warning) {
  kube::ObjectReference about{.api_version = "v1",
                              .kind = "Pod",
                              .name_space = pod.job.name_space,
                              .name = pod.name,
                              .uid = pod.uid};
  if (about_job) {
    about.api_version = kJobApiVersion;
    about.kind = pod.job.kind->kind->name;
    about.name = pod.job.name;
    about.uid = pod.job.uid;
  }
  events_.record({.about = std::move(about),
                  .warning = warning,
                  .reason = std::string(reason),
                  .message = (dry_run_ ? "dry run: " : "") + message});
}

void Reporter::verdict(const WatchedPod& pod, const Judgement& judgement) {
  using std::chrono::duration;
  using std::chrono::system_clock;
  const std::string_view action = name_of(judgement.action, dry_run_);
  metrics_.count_verdict(pod.job.kind->kind->name, judgement.code, action);
  const duration<double> since_seen = std::chrono::steady_clock::now() - pod.end->seen_at;
  const exit_codes::Terminated* const end =
      end_of_container(pod.end->pod, pod.job.kind->kind->container);
  if (end != nullptr && end->finished_at) {
    const duration<double> since_end =
        system_clock::now() - system_clock::time_point(std::chrono::seconds(*end->finished_at));
    metrics_.observe_delay(std::max(since_end, duration<double>::zero()), since_seen);
  } else {
    metrics_.observe_reaction(since_seen);
  }
  const std::string code = judgement.code ? std::to_string(*judgement.code) : "";
  log_.write(LogLevel::info, "verdict",
             {{"kind", pod.job.kind->kind->name},
              {"namespace", pod.job.name_space},
              {"job", pod.job.name},
              {"pod", pod.name},
              {"code", code},
              {"action", action},
              {"dryRun", dry_run_ ? "true" : "false"},
              {"because", judgement.why}});
  if (judgement.action != Action::fail) return;
  const std::string message = message_of(pod, judgement);
  const std::string_view reason = reason_of(judgement);
  event(pod, true, reason, message);
  event(pod, false, reason, message);
}

void Reporter::removed(const WatchedPod& pod) {
  metrics_.count_removed_pod();
  log_.write(LogLevel::info, "left-over pod removed",
             {{"namespace", pod.job.name_space}, {"job", pod.job.name}, {"pod", pod.name}});
  event(pod, true, "LeftOverPodRemoved",
        "pod " + pod.name + " is removed: the operator made it while the job failed", false);
}

void Reporter::refused(const WatchedPod& pod, const kube::Error& error) {
  metrics_.count_refused_release();
  const std::string why = kube::to_string(error);
  log_.write(LogLevel::error, "finalizer not removed, tried again later",
             {{"namespace", pod.job.name_space}, {"pod", pod.name}, {"error", why}});
  event(
      pod, false, "ReleaseRefused",
      "the finalizer exit-codes.kubeflow.org/verdict cannot be removed, tried again later: " + why);
}

void Reporter::api_error(std::string_view call, const kube::Error& error) {
  metrics_.count_api_error(call);
  const std::string why = kube::to_string(error);
  log_.write(LogLevel::warn, "call failed, tried again later", {{"call", call}, {"error", why}});
}

}  // namespace enforcer
