#include <string>

#include "jobs/rules/rules.h"

namespace jobs::rules {

void exit_code_unsupported(const Subject& subject, Findings& findings) {
  if (subject.kind->reads_codes) return;
  for (const SubjectReplica& replica : subject.replicas) {
    if (!replica.uses_exit_code()) continue;
    findings.push_back({.rule = "exit-code-unsupported",
                        .severity = Severity::warned,
                        .field = subject.policy_path(replica),
                        .value = std::string(kExitCode),
                        .message = "the operator neither retries nor fails " +
                                   std::string(subject.kind->name) +
                                   " under ExitCode: use OnFailure or Never"});
  }
}

}  // namespace jobs::rules
