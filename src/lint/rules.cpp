#include "lint/rules.h"

#include <algorithm>
#include <array>

namespace lint {
namespace {

using enum Severity;

constexpr std::array kRules{
    Rule{"invalid-restart-policy", error, "The restart policy is none that the operator knows."},
    Rule{"invalid-exit-codes", error, "An annotation about exit codes cannot be read."},
    Rule{"duplicate-replica-type", error,
         "Two keys stand for one replica type, and the operator drops one of them."},
    Rule{"exit-code-container-missing", error,
         "Under ExitCode no container has the name whose exit code the operator reads."},
    Rule{"malformed-job", error, "A part that every job needs is missing or no object."},
    Rule{"annotation-not-string", error,
         "An annotation is no string: kubectl refuses the job, or drops all its annotations."},
    Rule{"job-too-large", error, "The API server takes no object of this size."},
    Rule{"template-restart-policy-ignored", warning,
         "The operator overwrites the restart policy of the pod template."},
    Rule{"unbounded-retries", warning, "Unlisted codes are retried without end."},
    Rule{"unknown-replica-type", warning, "The operator knows no such replica type."},
    Rule{"unknown-annotation", warning, "No such annotation exists under our prefix."},
    Rule{"exit-code-unsupported", warning,
         "The operator neither retries nor fails this kind under ExitCode."},
    Rule{"backoff-limit-zero", warning, "A backoffLimit of 0 lets ExitCode retry nothing."},
    Rule{"elastic-exit-code", warning, "torchrun ends with 1 whatever its child ended with."},
    Rule{"table-in-source", warning, "The table is the webhook's to write, not the manifest's."},
    Rule{"unchecked-version", warning, "This version of a kind is not checked."},
    Rule{"operator-disagrees", warning, "The operator treats exit codes otherwise than the table."},
    Rule{"job-in-string", note, "A job stands in a string and is not checked."},
    Rule{"unreadable-file", error, "The file cannot be read."},
    Rule{"invalid-yaml", error, "The file is no YAML or JSON that kubectl takes."},
    Rule{"duplicate-key", error, "A key is given twice, and readers disagree which one counts."},
    Rule{"unrendered-template", error, "The file is a template that is not rendered."},
};

}  // namespace

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case error:
      return "error";
    case warning:
      return "warning";
    case note:
      break;
  }
  return "note";
}

std::span<const Rule> rules() noexcept { return kRules; }

std::size_t rule_index(std::string_view id) noexcept {
  return static_cast<std::size_t>(std::ranges::find(kRules, id, &Rule::id) - kRules.begin());
}

std::string help_of(std::string_view id) { return "docs/rules.md#" + std::string(id); }

}  // namespace lint
