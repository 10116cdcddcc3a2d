#include <string>

#include "jobs/rules/rules.h"
#include "jobs/text.h"

namespace jobs::rules {

void template_restart_policy_ignored(const Subject& subject, Findings& findings) {
  // In v1alpha1 the template is where the policy stands.
  if (subject.kind->layout == Layout::list) return;
  for (const SubjectReplica& replica : subject.replicas) {
    const Scalar& written = replica.replica->pod_template.restart_policy;
    if (written.is_unset()) continue;
    std::string message = "is ignored";
    if (replica.effective_policy) {
      message += ": " + std::string(*replica.effective_policy) + " holds";
      message += replica.policy.is_unset() ? " (the default); set the replica's restartPolicy"
                                           : ", the replica's restartPolicy; remove this one";
    }
    findings.push_back({.rule = "template-restart-policy-ignored",
                        .severity = Severity::warned,
                        .field = subject.path(replica) + ".template.spec.restartPolicy",
                        .value = shown(written),
                        .message = std::move(message)});
  }
}

}  // namespace jobs::rules
