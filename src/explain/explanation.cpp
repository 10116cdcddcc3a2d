#include "explain/explanation.h"

#include <algorithm>
#include <span>
#include <utility>

#include "jobs/text.h"
#include "operators/finding.h"

namespace explain {
namespace {

using operators::Comparison;
using operators::End;
using operators::Operator;
using operators::Response;

/// The names of the operators that serve a kind in that version.
std::string servers(std::string_view kind, std::string_view version) {
  std::vector<std::string_view> names;
  for (const Operator& known : operators::known_operators()) {
    if (known.find_service(kind, version) != nullptr) names.push_back(known.name);
  }
  return names.empty() ? "no operator known here does" : "these do: " + jobs::joined(names);
}

std::vector<std::string> notes_of(const jobs::Subject& subject, std::string_view version,
                                  const Operator& which, const operators::Service* service,
                                  bool tables) {
  const std::string kind(subject.kind->name);
  if (service == nullptr) {
    return {std::string(which.name) + " does not serve " + kind + " " + std::string(version) +
            "; " + servers(kind, version)};
  }
  if (!service->otherwise) {
    return {std::string(which.name) + " reads no exit codes of " + kind};
  }
  std::vector<std::string> notes;
  if (!tables) return notes;
  notes.emplace_back(
      "A cascade: a worker that raises an exception because a peer went away ends with 1, as a bug "
      "does. Catch that exception and end with 138.");
  if (operators::has_vain_backoff_limit(*subject.job, which)) {
    notes.emplace_back(
        "backoffLimit does not bound retries under ExitCode: pods that are created anew are not "
        "counted. Set max-retries, for controllers that honour the table, or "
        "activeDeadlineSeconds.");
  }
  return notes;
}

}  // namespace

Explanation explain(const jobs::Subject& subject, std::string_view version, const Operator& which) {
  const std::string_view kind = subject.kind->name;
  const operators::Service* const service = which.find_service(kind, version);
  const std::optional<operators::Behaviour> behaviour =
      service == nullptr ? std::nullopt : operators::behaviour_of(which, *subject.kind);

  Explanation explanation{.kind = std::string(kind),
                          .version = std::string(version),
                          .operator_name = std::string(which.name),
                          .replicas = {},
                          .notes = {}};
  bool tables = false;
  for (const jobs::SubjectReplica& replica : subject.replicas) {
    Replica explained{.type = std::string(replica.canonical_type()),
                      .policy = std::string(replica.effective_policy.value_or("")),
                      .is_default = replica.policy.is_unset(),
                      .table = std::nullopt,
                      .ends = {},
                      .note = {}};
    if (subject.kind->layout == jobs::Layout::list || replica.uses_exit_code()) {
      explained.table = subject.table(replica);
      explained.ends = operators::compare_all(*explained.table, behaviour);
      tables = true;
    } else if (service != nullptr && !explained.policy.empty()) {
      explained.note = operators::describe_policy(which, *service, explained.policy);
    } else if (!replica.effective_policy) {
      explained.note = jobs::shown(replica.policy) + " is no restart policy of " +
                       std::string(kind) + ": 'tfjob-webhook lint' tells how to mend it";
    }
    explanation.replicas.push_back(std::move(explained));
  }
  explanation.notes = notes_of(subject, version, which, service, tables);
  return explanation;
}

std::string describe(const Comparison& comparison, const exit_codes::Table& table) {
  switch (comparison.end) {
    case End::codes:
      return operators::to_text(comparison.codes);
    case End::zero:
      return "0 in a failed pod";
    case End::over_255:
      return "over 255 (Windows)";
    case End::reason:
      return "reason " + comparison.reason +
             (comparison.reason == exit_codes::kOomKilled ? " with 137" : "");
    case End::disruption:
      return "disruption: drained, preempted, evicted, deleted";
    case End::no_exit_code:
      return "no exit code: never ran to an end";
    case End::retry_limit:
      break;
  }
  return "retried " + std::to_string(table.max_retries.value_or(0)) + " times already";
}

std::string table_says(const Comparison& comparison) {
  const std::string handled(exit_codes::to_string(comparison.handled_as));
  return comparison.verdict == exit_codes::Verdict::undefined ? "undefined: " + handled : handled;
}

std::string operator_does(const Comparison& comparison) {
  if (!comparison.response) return "not known";
  switch (*comparison.response) {
    case Response::retries:
      return "retries";
    case Response::fails:
      return "fails the job";
    case Response::hangs:
      return "hangs";
    case Response::by_code:
      break;
  }
  return "by its code";
}

}  // namespace explain
