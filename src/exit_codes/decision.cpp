#include "exit_codes/decision.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "exit_codes/code_names.h"

namespace exit_codes {
namespace {

// Linux's 128 + SIGKILL, the code that an out-of-memory kill leaves.
constexpr std::int64_t kKilled = 137;

const Container* find_own(const Pod& pod, std::string_view name) {
  const auto found = std::ranges::find_if(pod.containers, [name](const Container& container) {
    return name.empty() || container.name == name;
  });
  return found == pod.containers.end() ? nullptr : &*found;
}

const Container* find_failed_init(const Pod& pod) {
  const auto found = std::ranges::find_if(pod.init_containers, [](const Container& container) {
    return !container.restartable && container.terminated && container.terminated->exit_code != 0;
  });
  return found == pod.init_containers.end() ? nullptr : &*found;
}

const Terminated* terminated_of(const Container* container) {
  return container != nullptr && container->terminated ? &*container->terminated : nullptr;
}

/// Init containers that training-operator (PyTorchJob) and mpi-operator add to pods.
bool is_injected(std::string_view name) {
  return name == "init-pytorch" || name == "kubectl-delivery";
}

/// Reasons of a terminated state that the kubelet or the runtime made up.
bool is_lost(const Terminated& ended) {
  return ended.reason == "Unknown" || ended.reason == "ContainerStatusUnknown";
}

bool deleted_before_end(const Pod& pod, const Terminated* ended) {
  if (!pod.deletion_timestamp) return false;
  if (ended == nullptr || !ended->finished_at) return true;
  std::int64_t deleted = 0;
  if (__builtin_sub_overflow(*pod.deletion_timestamp, pod.deletion_grace_period, &deleted)) {
    // Out of the range of the type: before all times for a positive period, else after them.
    return pod.deletion_grace_period > 0;
  }
  return deleted <= *ended->finished_at;
}

/// What disrupted the pod, in a few words; empty if nothing did.
std::string disruption_of(const Pod& pod, const Terminated* ended) {
  if (pod.disruption_target) return "condition DisruptionTarget";
  if (pod.reason == "Preempting" || pod.reason == "Terminated") return "reason " + pod.reason;
  return deleted_before_end(pod, ended) ? "deleted before it ended" : "";
}

std::string profile_of(const Table& table) {
  return table.profile.empty() ? "the table" : "profile " + table.profile;
}

std::string code_in_words(std::int64_t code) {
  const std::string meaning = describe_code(code);
  return std::to_string(code) + (meaning.empty() ? "" : " (" + meaning + ")");
}

Decision decision(const Table& table, Cause cause, Verdict verdict, std::string because) {
  return {.cause = cause,
          .verdict = verdict,
          .handled_as = table.handled_as(verdict),
          .because = std::move(because)};
}

/// Steps 2 and 5: a verdict on something other than a code or a reason.
Decision without_code(const Table& table, Cause cause, Verdict verdict, const std::string& what) {
  return decision(
      table, cause, verdict,
      what + ": " + profile_of(table) + " calls that " + std::string(to_string(verdict)));
}

/// Step 3 for one reason, `subject` being how the sentence names it.
std::optional<Decision> by_reason(const Table& table, const std::string& reason,
                                  const Terminated* ended, const std::string& subject) {
  const auto listed = table.reasons.find(reason);
  if (reason.empty() || listed == table.reasons.end()) return std::nullopt;
  if (reason == kOomKilled && (ended == nullptr || ended->exit_code != kKilled)) {
    return std::nullopt;
  }
  return decision(table, Cause::reason, listed->second,
                  subject + " is " + std::string(to_string(listed->second)) + ": " +
                      profile_of(table) + " lists that reason");
}

/// Step 3 for a container.
std::optional<Decision> by_reason(const Table& table, const Terminated& ended,
                                  const std::string& subject) {
  return by_reason(table, ended.reason, &ended,
                   subject + ended.reason + " with " + std::to_string(ended.exit_code));
}

/// Step 6.
Decision by_code(const Table& table, const Terminated& ended, const std::string& subject) {
  const Verdict verdict = table.verdict_of(ended.exit_code);
  std::string because =
      subject + code_in_words(ended.exit_code) + " is " + std::string(to_string(verdict)) + ": ";
  if (verdict != Verdict::undefined) {
    because += profile_of(table) + " lists it";
  } else if (ended.exit_code == 0) {
    because += "the pod failed although this container did not, and " + profile_of(table) +
               " handles undefined codes as " + std::string(to_string(table.undefined));
  } else {
    because += profile_of(table) + " lists it on neither side and handles undefined codes as " +
               std::string(to_string(table.undefined));
  }
  return decision(table, Cause::code, verdict, std::move(because));
}

/// Step 4.
Decision by_init(const Table& table, const Container& init, const Terminated& ended) {
  if (is_injected(init.name)) {
    return without_code(table, Cause::no_exit_code, table.no_exit_code,
                        "init container " + init.name + ", which the operator adds, failed");
  }
  const std::string subject = "init container " + init.name + ": ";
  if (auto decided = by_reason(table, ended, subject)) return std::move(*decided);
  return by_code(table, ended, subject);
}

/// Steps 3 to 6. `own` and `init` are the job's container and the init container that failed in
/// its stead, if any.
Decision by_end(const Table& table, const Pod& pod, const Container* own, const Container* init,
                const Terminated* ended) {
  if (auto decided = by_reason(table, pod.reason, ended, "pod reason " + pod.reason)) {
    return std::move(*decided);
  }
  if (init != nullptr) return by_init(table, *init, *ended);
  const std::string name = own == nullptr ? "the job's container" : "container " + own->name;
  if (ended == nullptr) {
    return without_code(table, Cause::no_exit_code, table.no_exit_code,
                        name + " never ran to an end");
  }
  if (auto decided = by_reason(table, *ended, "")) return std::move(*decided);
  if (is_lost(*ended)) {
    return without_code(table, Cause::no_exit_code, table.no_exit_code,
                        "the runtime lost how " + name + " ended (reason " + ended->reason + ")");
  }
  return by_code(table, *ended, "");
}

/// Step 7.
Decision limited(Decision decided, const Table& table, int retries) {
  if (decided.handled_as != Verdict::retryable || !table.max_retries ||
      retries < *table.max_retries) {
    return decided;
  }
  decided.cause = Cause::retries_used_up;
  decided.verdict = Verdict::permanent;
  decided.handled_as = Verdict::permanent;
  decided.because += "; but this replica was retried " +
                     (retries == 1 ? "once" : std::to_string(retries) + " times") +
                     " already and the limit is " + std::to_string(*table.max_retries) +
                     ", so this counts as permanent";
  return decided;
}

}  // namespace

Decision decide(const Table& table, const Pod& pod, std::string_view container, int retries) {
  if (pod.succeeded) {
    return {.cause = Cause::succeeded,
            .verdict = Verdict::undefined,
            .handled_as = Verdict::undefined,
            .because = "the pod succeeded"};
  }
  const Container* const own = find_own(pod, container);
  const Container* const init = terminated_of(own) == nullptr ? find_failed_init(pod) : nullptr;
  const Terminated* const ended = terminated_of(init != nullptr ? init : own);

  if (const std::string what = disruption_of(pod, ended); !what.empty()) {
    return without_code(table, Cause::disruption, table.disruption,
                        "the pod was disrupted (" + what + ")");
  }
  return limited(by_end(table, pod, own, init, ended), table, retries);
}

}  // namespace exit_codes
