#pragma once

#include "jobs/finding.h"
#include "jobs/subject.h"
#include "operators/operator.h"

namespace operators {

/// Findings of the rule `operator-disagrees`, all warnings: one for all replicas of `subject` that
/// carry a table and on which it and `which` part in the same way, at the policy of the first.
[[nodiscard]] jobs::Findings operator_disagrees(const jobs::Subject& subject,
                                                const Operator& which);

}  // namespace operators
