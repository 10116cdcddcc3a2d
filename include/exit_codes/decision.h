#pragma once

#include <string>
#include <string_view>

#include "exit_codes/pod.h"
#include "exit_codes/table.h"
#include "exit_codes/verdict.h"

namespace exit_codes {

/// Which step of the contract decided.
enum class Cause {
  succeeded,       ///< the pod's phase
  disruption,      ///< drained, preempted, evicted, deleted
  reason,          ///< a container or pod reason that the table lists
  no_exit_code,    ///< the job's container never ran to an end, or the runtime lost it
  code,            ///< the exit code
  retries_used_up  ///< retryable, but retried `max_retries` times already
};

/// What a table says of a pod that ended.
struct Decision {
  Cause cause;
  Verdict verdict;      ///< `undefined` too; meaningless where `cause` is `succeeded`
  Verdict handled_as;   ///< retryable or permanent; meaningless where `cause` is `succeeded`
  std::string because;  ///< one sentence that says why
};

/// Decides about `pod`, which ended, in the order of the annotation contract.
///
/// `container` names the job's own container ("tensorflow" for a TFJob); the pod's first one is
/// meant where it is empty. `retries` is how often this replica (type and index) was retried
/// already, disruptions apart, since its job was last resumed.
[[nodiscard]] Decision decide(const Table& table, const Pod& pod, std::string_view container,
                              int retries = 0);

}  // namespace exit_codes
