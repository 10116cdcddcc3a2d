#include "enforcer/job_state.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "exit_codes/annotation.h"
#include "kube/json.h"

namespace enforcer {
namespace {

using kube::text_at;
using nlohmann::json;

constexpr std::string_view kOperator = "kubeflow.org/training-operator";

json at(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? json() : *found;
}

bool is_true(const json& object, const char* key) { return at(object, key) == true; }

std::string annotation(const json& metadata, std::string_view key) {
  const auto annotations = metadata.find("annotations");
  if (annotations == metadata.end()) return {};
  return text_at(*annotations, std::string(key).c_str());
}

void read_conditions(const json& conditions, JobState& job, std::string& resumed) {
  if (!conditions.is_array()) return;
  for (const json& condition : conditions) {
    const std::string type = text_at(condition, "type");
    const bool holds = text_at(condition, "status") == "True";
    if (type == "Succeeded" && holds) job.finished = true;
    if (type == "Failed" && holds) {
      job.finished = true;
      const std::string reason = text_at(condition, "reason");
      job.failed_by_us = reason == kExitCodePermanent || reason == kMaxRetriesExceeded;
      job.failed_message = text_at(condition, "message");
    }
    // The operator turns it when a suspended job is resumed.
    if (type == "Suspended" && !holds) resumed = text_at(condition, "lastTransitionTime");
  }
}

void read_policies(const jobs::Kind& kind, const json& spec, JobState& job) {
  const json specs = at(spec, std::string(kind.specs_field).c_str());
  if (!specs.is_object()) return;
  for (const auto& [type, replica] : specs.items()) {
    std::string policy = text_at(replica, "restartPolicy");
    const jobs::ReplicaType* const known = kind.find_type(type);
    if (policy.empty() && known != nullptr) policy = known->default_policy;
    job.policies[lower_case(type)] = std::move(policy);
  }
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

JobState read_job(const JobKind& kind, const json& object) {
  const json metadata = at(object, "metadata");
  const json spec = at(object, "spec");
  const json policy = at(spec, "runPolicy");
  JobState job;
  job.uid = text_at(metadata, "uid");
  job.resource_version = text_at(metadata, "resourceVersion");
  job.deleting = !text_at(metadata, "deletionTimestamp").empty();
  job.suspended = is_true(policy, "suspend");
  if (std::string manager = text_at(policy, "managedBy"); manager != kOperator) {
    job.manager = std::move(manager);
  }
  job.dynamic_workers = is_true(spec, "enableDynamicWorker");
  job.table = annotation(metadata, exit_codes::kTableAnnotation);
  job.status = at(object, "status");
  if (!job.status.is_object()) job.status = json::object();
  job.completion_time = text_at(job.status, "completionTime");
  std::string resumed;
  read_conditions(at(job.status, "conditions"), job, resumed);
  job.retries =
      decode_retries(annotation(metadata, exit_codes::kRetriesAnnotation), job.uid, resumed);
  read_policies(*kind.kind, spec, job);
  return job;
}

std::optional<JobState> parse_job(const JobKind& kind, std::string_view json_text) {
  const json object = json::parse(json_text, nullptr, false);
  if (!object.is_object() || !object.contains("metadata")) return std::nullopt;
  return read_job(kind, object);
}

}  // namespace enforcer
