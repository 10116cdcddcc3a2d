#include "enforcer/failed_status.h"

#include <map>
#include <utility>

namespace enforcer {
namespace {

using nlohmann::json;

/// As the operator leaves them: Failed is the last one, and Running is no longer true.
json conditions_of(const json& status, std::string_view reason, const std::string& message,
                   const std::string& now) {
  json conditions = json::array();
  const auto old = status.find("conditions");
  if (old != status.end() && old->is_array()) {
    for (json condition : *old) {
      const std::string type = condition.value("type", std::string());
      if (type == "Failed") continue;
      if (type == "Running" && condition.value("status", std::string()) == "True") {
        condition["status"] = "False";
        condition["lastTransitionTime"] = now;
        condition["lastUpdateTime"] = now;
      }
      conditions.push_back(std::move(condition));
    }
  }
  conditions.push_back({{"type", "Failed"},
                        {"status", "True"},
                        {"reason", reason},
                        {"message", message},
                        {"lastUpdateTime", now},
                        {"lastTransitionTime", now}});
  return conditions;
}

struct Counts {
  int active = 0;
  int succeeded = 0;
  int failed = 0;
};

/// As the operator counts pods; the failed one counts, though it may have been recreated already.
std::map<std::string, Counts> counts_of(const std::vector<WatchedPod>& pods,
                                        const WatchedPod& failed) {
  std::map<std::string, Counts> counts;
  counts[failed.replica_type].failed = 1;
  for (const WatchedPod& pod : pods) {
    if (pod.uid == failed.uid || pod.replica() == failed.replica()) continue;
    Counts& of_type = counts[pod.replica_type];
    if (pod.phase == WatchedPod::Phase::succeeded) ++of_type.succeeded;
    if (pod.phase == WatchedPod::Phase::failed) ++of_type.failed;
    if (pod.running) ++(pod.deleting ? of_type.failed : of_type.active);
  }
  return counts;
}

/// "Worker" of "worker": how the job calls a type.
std::string type_name(const JobRef& ref, const std::string& label) {
  const jobs::ReplicaType* const known = ref.kind->kind->find_type(label);
  return known == nullptr ? label : std::string(known->name);
}

}  // namespace

json failed_status(const JobRef& ref, const JobState& job, std::string_view reason,
                   const std::string& message, const std::vector<WatchedPod>& pods,
                   const WatchedPod& failed, const std::string& now) {
  json replicas = json::object();
  for (const auto& [label, counts] : counts_of(pods, failed)) {
    const auto number = [](int count) { return count == 0 ? json() : json(count); };
    replicas[type_name(ref, label)] = {{"active", number(counts.active)},
                                       {"succeeded", number(counts.succeeded)},
                                       {"failed", number(counts.failed)}};
  }
  json status{{"conditions", conditions_of(job.status, reason, message, now)},
              {"replicaStatuses", std::move(replicas)}};
  if (job.completion_time.empty()) status["completionTime"] = now;
  return {{"metadata", {{"uid", job.uid}, {"resourceVersion", job.resource_version}}},
          {"status", std::move(status)}};
}

}  // namespace enforcer
