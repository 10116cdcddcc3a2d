#include <algorithm>

#include "jobs/rules/rules.h"

namespace jobs::rules {

void elastic_exit_code(const Subject& subject, Findings& findings) {
  if (subject.kind->name != "PyTorchJob" || is_missing(subject.job->elastic_policy) ||
      !std::ranges::any_of(subject.replicas, &SubjectReplica::uses_exit_code)) {
    return;
  }
  findings.push_back({.rule = "elastic-exit-code",
                      .severity = Severity::warned,
                      .field = "spec.elasticPolicy",
                      .value = {},
                      .message = "torchrun ends with 1 whatever its child ended with: ExitCode "
                                 "sees only 1; use OnFailure"});
}

}  // namespace jobs::rules
