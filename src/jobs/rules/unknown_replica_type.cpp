#include <string>
#include <string_view>
#include <vector>

#include "exit_codes/nearest.h"
#include "jobs/rules/rules.h"
#include "jobs/text.h"

namespace jobs::rules {

void unknown_replica_type(const Subject& subject, Findings& findings) {
  std::vector<std::string_view> names;
  for (const ReplicaType& type : subject.kind->types) names.push_back(type.name);
  for (const SubjectReplica& replica : subject.replicas) {
    // A type that is no string is malformed.
    if (replica.known != nullptr || !replica.replica->type.is_string()) continue;
    const std::string_view near = exit_codes::nearest(replica.type, names);
    std::string message =
        quoted(replica.type) + " is no replica type of " + std::string(subject.kind->name) + ": ";
    message += near.empty() ? "use " + joined(names) : "did you mean " + std::string(near) + "?";
    const bool list = subject.kind->layout == Layout::list;
    findings.push_back({.rule = "unknown-replica-type",
                        .severity = Severity::warned,
                        .field = subject.path(replica) + (list ? ".tfReplicaType" : ""),
                        .value = std::string(replica.type),
                        .message = std::move(message)});
  }
}

}  // namespace jobs::rules
