#include "enforcer/reconciler.h"

#include <algorithm>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "enforcer/failed_status.h"
#include "enforcer/release.h"
#include "exit_codes/annotation.h"
#include "http/rfc3339.h"
#include "kube/path.h"
#include "operators/operator.h"

namespace enforcer {
namespace {

using nlohmann::json;

/// The operator writes a job's status a few times while its pods fail: that is waited out here.
constexpr int kAttempts = 10;

std::string dump(const json& value) {
  // What a container wrote may be anything.
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// What the configured operator does about failed pods of a kind; as the newest one where it does
/// not serve the kind.
operators::Behaviour behaviour_of(const admission::Settings& settings, const jobs::Kind& kind) {
  const auto configured = operators::find_operator(settings.operator_version);
  if (configured) {
    if (auto behaviour = operators::behaviour_of(**configured, kind)) return *behaviour;
  }
  for (const operators::Operator& known : operators::known_operators()) {
    if (known.schema != operators::Schema::from_128) continue;
    if (auto behaviour = operators::behaviour_of(known, kind)) return *behaviour;
  }
  return {};
}

/// A pod that was judged, and how.
using Judged = std::pair<WatchedPod, Judgement>;

}  // namespace

bool Reconciler::sweeps() const { return parts_.settings()->evidence == admission::Evidence::none; }

bool Reconciler::is_to_release(const WatchedPod& pod) const {
  if (!pod.held) return false;
  // Nobody judges it.
  if (pod.job.kind == nullptr) return true;
  // Switched off: no pod is held any more.
  if (sweeps() && (!pod.end || parts_.pods.is_judged(pod.uid))) return true;
  if (pod.end) return parts_.pods.is_judged(pod.uid);
  // It succeeded, or somebody deleted it before it ended: there is nothing to judge.
  return pod.phase == WatchedPod::Phase::succeeded || pod.deleting;
}

bool Reconciler::concerns(const WatchedPod& pod) const {
  if (pod.end && !parts_.pods.is_judged(pod.uid)) return true;
  if (is_to_release(pod)) return true;
  const auto failed = parts_.failed.find(pod.job.uid);
  return failed && is_left_over(pod, *failed);
}

std::expected<Reconciler::Again, kube::Error> Reconciler::reconcile(const JobRef& job) {
  if (const auto judged = judge_pods(job); !judged) return std::unexpected(judged.error());
  if (const auto removed = remove_left_over(job); !removed) {
    return std::unexpected(removed.error());
  }
  if (const auto time = hold(job); time > std::chrono::milliseconds::zero()) return time;
  if (const auto released = release_pods(job); !released) {
    return std::unexpected(released.error());
  }
  return std::nullopt;
}

std::chrono::milliseconds Reconciler::hold(const JobRef& job) const {
  const auto added = parts_.failed.added(job.uid);
  if (!added) return {};
  const auto rest = *added + kHoldAfterFailure - FailedJobs::Clock::now();
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(rest), std::chrono::milliseconds{});
}

std::expected<std::optional<JobState>, kube::Error> Reconciler::get(const JobRef& job) {
  const auto answer = parts_.api.send({.path = job.path()});
  if (!answer) {
    if (answer.error().is_not_found()) return std::nullopt;
    return std::unexpected(answer.error());
  }
  auto state = parse_job(*job.kind, *answer);
  if (!state) return std::unexpected(kube::Error{.message = "the job cannot be read"});
  // Another one of the same name.
  if (state->uid != job.uid) return std::nullopt;
  if (parts_.dry_run) {
    const std::lock_guard lock(mutex_);
    const auto counted = counted_.find(job.uid);
    if (counted != counted_.end() && counted->second.resumed == state->retries.resumed) {
      state->retries = counted->second;
    }
  }
  return state;
}

Reconciler::Done Reconciler::judge_pods(const JobRef& job) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto judged = judge_once(job);
    if (!judged) return std::unexpected(judged.error());
    if (*judged) return {};
  }
  return std::unexpected(
      kube::Error{.status = 409, .reason = "Conflict", .message = "the job changes all the time"});
}

void Reconciler::leave(const std::vector<WatchedPod>& pods, const std::optional<JobState>& state,
                       const std::string& why) {
  const bool ours = state && state->failed_by_us;
  if (ours) {
    parts_.failed.add(state->uid,
                      {.pod = std::string(pod_of_message(state->failed_message)),
                       .completed = state->completion_time},
                      FailedJobs::Clock::now());
  }
  for (const WatchedPod& pod : pods) {
    // A pod of a job that we failed, in an earlier life perhaps, is no news.
    if (!ours) parts_.reporter.verdict(pod, {.action = Action::leave, .why = why});
    parts_.pods.set_judged(pod.uid);
  }
}

std::expected<bool, kube::Error> Reconciler::judge_once(const JobRef& job) {
  const std::vector<WatchedPod> pods = parts_.pods.unjudged(job.uid);
  if (pods.empty()) return true;
  const auto answer = get(job);
  if (!answer) return std::unexpected(answer.error());
  const std::optional<JobState>& found = *answer;
  const std::string why = found ? why_not_judged(*found) : "the job is gone";
  if (!found || !why.empty()) {
    leave(pods, found, why);
    return true;
  }

  JobState state = *found;
  const Retries before = state.retries;
  const operators::Behaviour behaviour = behaviour_of(*parts_.settings(), *job.kind->kind);
  std::vector<Judged> judged;
  std::optional<Judged> fatal;
  for (const WatchedPod& pod : pods) {
    if (before.has(pod.replica(), pod.uid, pod.end->version)) {
      // Counted by a process that ended before it could say so.
      parts_.pods.set_judged(pod.uid);
      continue;
    }
    Judgement judgement = judge(pod, state, behaviour);
    if (judgement.action == Action::fail) {
      fatal.emplace(pod, std::move(judgement));
      break;
    }
    if (judgement.action == Action::count) {
      state.retries.add(pod.replica(), pod.uid, pod.end->version);
    }
    judged.emplace_back(pod, std::move(judgement));
  }

  Done written;
  if (fatal) {
    written = fail(job, state, fatal->first, fatal->second);
  } else if (state.retries != before) {
    written = save(job, state);
  }
  if (!written) {
    // It has changed, or is gone, since it was read.
    if (written.error().is_conflict() || written.error().is_not_found()) return false;
    return std::unexpected(written.error());
  }
  if (fatal) judged.push_back(std::move(*fatal));
  for (const auto& [pod, judgement] : judged) {
    parts_.reporter.verdict(pod, judgement);
    parts_.pods.set_judged(pod.uid);
  }
  return true;
}

Reconciler::Done Reconciler::fail(const JobRef& job, const JobState& state, const WatchedPod& pod,
                                  const Judgement& judgement) {
  if (parts_.dry_run) return {};
  const std::string now = http::rfc3339(std::chrono::system_clock::now());
  const json patch = failed_status(job, state, reason_of(judgement), message_of(pod, judgement),
                                   parts_.pods.pods_of(job.uid), pod, now);
  const auto answer = parts_.api.send({.method = "PATCH",
                                       .path = job.path("status"),
                                       .body = dump(patch),
                                       .content_type = std::string(kube::kMergePatch)});
  if (!answer) return std::unexpected(answer.error());
  parts_.failed.add(job.uid, {.pod = pod.name, .completed = now}, FailedJobs::Clock::now());
  return {};
}

Reconciler::Done Reconciler::save(const JobRef& job, const JobState& state) {
  if (parts_.dry_run) {
    const std::lock_guard lock(mutex_);
    counted_[job.uid] = state.retries;
    return {};
  }
  const json object{
      {"apiVersion", kJobApiVersion},
      {"kind", job.kind->kind->name},
      {"metadata",
       {{"name", job.name},
        {"namespace", job.name_space},
        {"uid", state.uid},
        {"resourceVersion", state.resource_version},
        {"annotations", {{std::string(exit_codes::kRetriesAnnotation), encode(state.retries)}}}}}};
  const auto answer = parts_.api.send(
      {.method = "PATCH",
       .path = kube::with_query(job.path(), {{"fieldManager", kComponent}, {"force", "true"}}),
       .body = dump(object),
       .content_type = std::string(kube::kApplyPatch)});
  if (!answer) return std::unexpected(answer.error());
  return {};
}

Reconciler::Done Reconciler::remove_left_over(const JobRef& job) {
  const auto failed = parts_.failed.find(job.uid);
  if (!failed || parts_.dry_run) return {};
  for (const WatchedPod& pod : parts_.pods.pods_of(job.uid)) {
    if (!is_left_over(pod, *failed)) continue;
    const json options{
        {"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"preconditions", {{"uid", pod.uid}}}};
    const auto answer =
        parts_.api.send({.method = "DELETE",
                         .path = kube::path_of(kube::kPods, job.name_space, pod.name),
                         .body = options.dump()});
    if (answer) {
      parts_.reporter.removed(pod);
    } else if (!answer.error().is_not_found() && !answer.error().is_conflict()) {
      return std::unexpected(answer.error());
    }
  }
  return {};
}

Reconciler::Done Reconciler::release_pods(const JobRef& job) {
  if (parts_.dry_run) return {};
  Done done;
  for (const WatchedPod& pod : parts_.pods.pods_of(job.uid)) {
    if (!is_to_release(pod)) continue;
    const auto released = release_pod(parts_.api, job.name_space, pod.name, pod.uid);
    if (released) continue;
    if (!released.error().is_transient()) parts_.reporter.refused(pod, released.error());
    // The others need not wait for it.
    done = std::unexpected(released.error());
  }
  return done;
}

}  // namespace enforcer
