#include <string>

#include "jobs/rules/rules.h"

namespace jobs::rules {

void unbounded_retries(const Subject& subject, Findings& findings) {
  const Job& job = *subject.job;
  const bool has_deadline =
      !is_missing(job.active_deadline.shape) || !is_missing(job.run_policy_active_deadline.shape);
  if (has_deadline || !subject.kind->reads_codes) return;
  for (const SubjectReplica& replica : subject.replicas) {
    if (!replica.uses_exit_code()) continue;
    const exit_codes::Table table = subject.table(replica);
    if (table.undefined != exit_codes::Verdict::retryable || table.max_retries) continue;
    findings.push_back({.rule = "unbounded-retries",
                        .severity = Severity::warned,
                        .field = subject.policy_path(replica),
                        .value = table.profile,
                        .message = "unlisted codes are retried without end: set max-retries or "
                                   "activeDeadlineSeconds"});
  }
}

}  // namespace jobs::rules
