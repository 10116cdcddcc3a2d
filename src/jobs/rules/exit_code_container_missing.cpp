#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "exit_codes/nearest.h"
#include "jobs/rules/rules.h"
#include "jobs/text.h"

namespace jobs::rules {
namespace {

/// The container that was meant, if one can be told: the near miss, or the only one there is.
std::string_view meant(std::string_view wanted, const std::vector<std::string_view>& names) {
  const std::string_view near = exit_codes::nearest(wanted, names);
  return near.empty() && names.size() == 1 ? names.front() : near;
}

}  // namespace

void exit_code_container_missing(const Subject& subject, Findings& findings) {
  const std::string_view wanted = subject.kind->container;
  if (wanted.empty()) return;
  for (const SubjectReplica& replica : subject.replicas) {
    const PodTemplate& pod_template = replica.replica->pod_template;
    // Where no list of containers can be, `malformed-job` has said so.
    const bool readable =
        pod_template.shape == Shape::object &&
        (pod_template.spec == Shape::object || is_missing(pod_template.spec)) &&
        (pod_template.containers == Shape::array || is_missing(pod_template.containers));
    if (!replica.uses_exit_code() || !readable) continue;
    const std::vector<std::string_view>& names = pod_template.container_names;
    if (std::ranges::find(names, wanted) != names.end()) continue;

    const std::string_view candidate = meant(wanted, names);
    const std::string mend = candidate.empty() ? "name the training container so"
                                               : "rename " + quoted(candidate) + " to it";
    findings.push_back({.rule = "exit-code-container-missing",
                        .severity = Severity::denied,
                        .field = subject.path(replica) + ".template.spec.containers",
                        .value = joined(names),
                        .message = "has no container named \"" + std::string(wanted) +
                                   "\", the one whose exit code the operator reads under " +
                                   "ExitCode: " + mend});
  }
}

}  // namespace jobs::rules
