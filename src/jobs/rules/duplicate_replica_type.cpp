#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "jobs/rules/rules.h"
#include "jobs/text.h"

namespace jobs::rules {

void duplicate_replica_type(const Subject& subject, Findings& findings) {
  // Only an operator that folds case takes two keys of a map for one type.
  if (!subject.kind->folds_case) return;
  const std::span replicas(subject.replicas);
  for (const SubjectReplica& replica : replicas) {
    if (replica.known == nullptr) continue;
    const auto before = replicas.first(replica.index);
    const auto first = std::ranges::find(before, replica.known, &SubjectReplica::known);
    if (first == before.end()) continue;
    findings.push_back(
        {.rule = "duplicate-replica-type",
         .severity = Severity::denied,
         .field = subject.path(replica),
         .value = std::string(first->type) + " " + std::string(replica.type),
         .message = "is the same replica type as " + quoted(first->type) +
                    ", and the operator silently drops one of them: keep one, named " +
                    std::string(replica.known->name)});
  }
}

}  // namespace jobs::rules
