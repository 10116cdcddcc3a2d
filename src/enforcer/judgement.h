#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "enforcer/job_state.h"
#include "enforcer/watched_pod.h"
#include "exit_codes/decision.h"
#include "operators/operator.h"

namespace enforcer {

/// What follows from a failed pod.
enum class Action {
  fail,   ///< the job is set Failed: its operator would retry
  count,  ///< its operator retries, and that counts
  retry,  ///< its operator retries, and that does not count (a disruption)
  leave   ///< nothing is ours to do: see `why`
};

/// What the table, and what the job is, say about a failed pod.
struct Judgement {
  Action action = Action::leave;
  std::string why = {};                               ///< one sentence; for `leave` why it is left
  std::optional<exit_codes::Decision> decision = {};  ///< of the table; none where it was not asked
  std::optional<std::int64_t> code = {};              ///< of the job's container
  std::string code_reason = {};                       ///< reason of its end: "Error", "OOMKilled"
};

/// Why no pod of a job is judged: it is finished, suspended, being deleted, or another
/// controller's; empty if its pods are.
[[nodiscard]] std::string why_not_judged(const JobState& job);

/// Judges a failed pod of a job whose pods are judged. `behaviour` is what the operator does about
/// failed pods of this kind; `job.retries` are those before this pod.
[[nodiscard]] Judgement judge(const WatchedPod& pod, const JobState& job,
                              const operators::Behaviour& behaviour);

/// The reason of the Failed condition that follows from it.
[[nodiscard]] std::string_view reason_of(const Judgement& judgement);

/// What the condition and the events say: the pod, its code and signal, its reason, the table and
/// what the container wrote. Begins with "pod NAME ".
[[nodiscard]] std::string message_of(const WatchedPod& pod, const Judgement& judgement);

/// The pod that a condition of ours tells of; empty if the message is none of `message_of`.
[[nodiscard]] std::string_view pod_of_message(std::string_view message);

}  // namespace enforcer
