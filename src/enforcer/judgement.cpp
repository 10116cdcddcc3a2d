#include "enforcer/judgement.h"

#include <utility>
#include <variant>

#include "exit_codes/code_names.h"
#include "exit_codes/pod_json.h"

namespace enforcer {
namespace {

using exit_codes::Cause;
using exit_codes::Verdict;

Judgement left(std::string why) { return {.action = Action::leave, .why = std::move(why)}; }

constexpr std::string_view kMessageStart = "pod ";
constexpr std::string_view kMessageMiddle = " ended ";

}  // namespace

std::string why_not_judged(const JobState& job) {
  if (job.deleting) return "the job is being deleted";
  if (job.finished) return "the job is finished";
  if (job.suspended) return "the job is suspended";
  if (!job.manager.empty()) return "the job is managed by " + job.manager;
  return {};
}

Judgement judge(const WatchedPod& pod, const JobState& job, const operators::Behaviour& behaviour) {
  const auto policy = job.policies.find(pod.replica_type);
  if (policy == job.policies.end() || policy->second != jobs::kExitCode) {
    return left("its replica is not under ExitCode");
  }
  if (pod.end->pod.deletion_timestamp) return left("it was deleted before it ended");
  if (job.dynamic_workers && pod.replica_type == "worker") {
    return left("workers of a job with enableDynamicWorker may end");
  }
  auto read = exit_codes::read_table(pod.table ? *pod.table : std::string(), job.table);
  auto* const table = std::get_if<exit_codes::Table>(&read);
  if (table == nullptr) return left(std::get<exit_codes::DecodeError>(read).message);

  Judgement judgement;
  const std::string_view container = pod.job.kind->kind->container;
  if (const exit_codes::Terminated* const end = end_of_container(pod.end->pod, container)) {
    judgement.code = end->exit_code;
    judgement.code_reason = end->reason;
  }
  judgement.decision =
      exit_codes::decide(*table, pod.end->pod, container, job.retries.count(pod.replica()));
  judgement.why = judgement.decision->because;
  const auto response = judgement.code
                            ? behaviour.on_code(*judgement.code)
                            : behaviour.no_exit_code.value_or(operators::Response::fails);
  if (response != operators::Response::retries) {
    judgement.why += "; the operator decides by the code alone, and does not retry it";
    return judgement;
  }
  if (judgement.decision->handled_as == Verdict::permanent) {
    judgement.action = Action::fail;
  } else {
    judgement.action =
        judgement.decision->cause == Cause::disruption ? Action::retry : Action::count;
  }
  return judgement;
}

std::string_view reason_of(const Judgement& judgement) {
  const auto& decision = judgement.decision;
  return decision && decision->cause == Cause::retries_used_up ? kMaxRetriesExceeded
                                                               : kExitCodePermanent;
}

std::string message_of(const WatchedPod& pod, const Judgement& judgement) {
  std::string text = std::string(kMessageStart) + pod.name + std::string(kMessageMiddle);
  if (judgement.code) {
    text += "with exit code " + std::to_string(*judgement.code);
    if (const auto meaning = exit_codes::describe_code(*judgement.code); !meaning.empty()) {
      text += " (" + meaning + ")";
    }
    if (!judgement.code_reason.empty()) text += ", reason " + judgement.code_reason;
  } else {
    text += "without an exit code";
    if (!pod.end->pod.reason.empty()) text += ", reason " + pod.end->pod.reason;
  }
  text += ": " + judgement.why;
  if (!pod.end->message.empty()) text += ". It wrote: " + pod.end->message;
  return text;
}

std::string_view pod_of_message(std::string_view message) {
  const std::size_t end = message.find(kMessageMiddle);
  if (!message.starts_with(kMessageStart) || end == std::string_view::npos) return {};
  return message.substr(kMessageStart.size(), end - kMessageStart.size());
}

}  // namespace enforcer
