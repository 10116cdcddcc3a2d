#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jobs {

/// Whether a rule rejects a job or only tells of it.
enum class Severity { denied, warned };

/// One rule that one place in a job breaks.
struct Finding {
  std::string_view rule;  ///< the rule's id; static
  Severity severity = Severity::denied;
  std::string field;  ///< field path: `spec.tfReplicaSpecs[Worker].restartPolicy`
  std::string value;  ///< what stands there; with rule and field it tells whether a finding is new
  std::string message;  ///< what to do about it; one line
};

using Findings = std::vector<Finding>;

}  // namespace jobs
