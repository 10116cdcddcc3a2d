#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "enforcer/job_state.h"
#include "enforcer/watched_pod.h"

namespace enforcer {

/// The status of `job` after its failure for `reason`, as a merge patch of the object that is
/// refused if the job has changed since: conditions, completionTime and replicaStatuses as
/// training-operator sets them. `pods` are those of the job, `failed` the one that it fails for.
[[nodiscard]] nlohmann::json failed_status(const JobRef& ref, const JobState& job,
                                           std::string_view reason, const std::string& message,
                                           const std::vector<WatchedPod>& pods,
                                           const WatchedPod& failed, const std::string& now);

}  // namespace enforcer
