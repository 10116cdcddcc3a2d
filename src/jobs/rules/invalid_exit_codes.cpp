#include <string>
#include <string_view>

#include "jobs/rules/rules.h"

namespace jobs::rules {
namespace {

void report(const Inputs& inputs, std::string_view metadata, Findings& findings) {
  for (const InputProblem& problem : inputs.problems) {
    findings.push_back({.rule = "invalid-exit-codes",
                        .severity = Severity::denied,
                        .field = annotation_path(metadata, problem.key),
                        .value = problem.value,
                        .message = problem.message});
  }
}

}  // namespace

void invalid_exit_codes(const Subject& subject, Findings& findings) {
  report(subject.inputs, "metadata", findings);
  for (const SubjectReplica& replica : subject.replicas) {
    if (replica.inputs.problems.empty()) continue;
    report(replica.inputs, subject.path(replica) + ".template.metadata", findings);
  }
}

}  // namespace jobs::rules
