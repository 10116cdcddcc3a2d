#include <algorithm>
#include <string>
#include <string_view>

#include "jobs/rules/rules.h"

namespace jobs::rules {
namespace {

void report(const Scalar& limit, std::string_view field, Findings& findings) {
  if (limit.shape != Shape::number || limit.text != "0") return;
  findings.push_back({.rule = "backoff-limit-zero",
                      .severity = Severity::warned,
                      .field = std::string(field),
                      .value = "0",
                      .message = "0 fails the job at its first failed pod, so ExitCode retries "
                                 "nothing: remove it or raise it"});
}

}  // namespace

void backoff_limit_zero(const Subject& subject, Findings& findings) {
  if (!subject.kind->reads_codes ||
      !std::ranges::any_of(subject.replicas, &SubjectReplica::uses_exit_code)) {
    return;
  }
  report(subject.job->run_policy_backoff_limit, "spec.runPolicy.backoffLimit", findings);
  report(subject.job->backoff_limit, "spec.backoffLimit", findings);
}

}  // namespace jobs::rules
