#include <string>
#include <string_view>

#include "exit_codes/nearest.h"
#include "jobs/rules/rules.h"
#include "jobs/text.h"

namespace jobs::rules {
namespace {

std::string message(const Kind& kind, const Scalar& policy) {
  const std::string choices = "use one of " + joined(kind.policies);
  if (!policy.is_string()) {
    return "must be a string, not " + shown(policy) + ": " + choices;
  }
  std::string text = quoted(policy.text) + " is no restart policy";
  if (policy.text == kExitCode) text += " of this version of " + std::string(kind.name);
  const std::string_view near = exit_codes::nearest(policy.text, kind.policies);
  if (near.empty()) return text + ": " + choices;
  return text + ": did you mean " + std::string(near) + "? Or " + choices;
}

}  // namespace

void invalid_restart_policy(const Subject& subject, Findings& findings) {
  for (const SubjectReplica& replica : subject.replicas) {
    if (replica.effective_policy) continue;
    findings.push_back({.rule = "invalid-restart-policy",
                        .severity = Severity::denied,
                        .field = subject.policy_path(replica),
                        .value = shown(replica.policy),
                        .message = message(*subject.kind, replica.policy)});
  }
}

}  // namespace jobs::rules
