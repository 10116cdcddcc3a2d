#pragma once

#include "jobs/finding.h"
#include "jobs/subject.h"
#include "operators/operator.h"

namespace operators {

/// Whether `job` has a backoffLimit above 0 that `which` reads: it counts restarts of containers,
/// but no pods that are created anew under ExitCode.
[[nodiscard]] bool has_vain_backoff_limit(const jobs::Job& job, const Operator& which);

/// Findings of the rule `operator-disagrees`, all warnings: one for all replicas of `subject` that
/// carry a table and on which it and `which` part in the same way, at the policy of the first.
[[nodiscard]] jobs::Findings operator_disagrees(const jobs::Subject& subject,
                                                const Operator& which);

}  // namespace operators
