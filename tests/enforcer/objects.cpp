#include "tests/enforcer/objects.h"

#include "exit_codes/annotation.h"
#include "exit_codes/profile.h"

namespace enforcer_test {

using nlohmann::json;

json pod(const PodSpec& spec) {
  json metadata{{"name", spec.name},
                {"namespace", "team"},
                {"uid", spec.uid},
                {"resourceVersion", spec.version},
                {"generation", spec.generation},
                {"creationTimestamp", spec.created},
                {"labels",
                 {{"training.kubeflow.org/job-name", spec.job},
                  {"training.kubeflow.org/replica-type", spec.type},
                  {"training.kubeflow.org/replica-index", spec.index}}},
                {"ownerReferences",
                 {{{"apiVersion", spec.api_version},
                   {"kind", spec.kind},
                   {"name", spec.job},
                   {"uid", spec.job_uid},
                   {"controller", true}}}}};
  if (!spec.profile.empty()) {
    exit_codes::Table table = *exit_codes::Profiles().find(spec.profile);
    if (spec.max_retries >= 0) table.max_retries = spec.max_retries;
    metadata["annotations"] = {{"exit-codes.kubeflow.org/table", exit_codes::encode(table)}};
  }
  if (spec.held) metadata["finalizers"] = {"a/b", "exit-codes.kubeflow.org/verdict"};
  if (!spec.deleted.empty()) {
    metadata["deletionTimestamp"] = spec.deleted;
    metadata["deletionGracePeriodSeconds"] = spec.grace;
  }
  json status{{"phase", spec.phase},
              {"observedGeneration", spec.observed_generation},
              {"conditions", spec.conditions}};
  if (spec.code) {
    json terminated{
        {"exitCode", *spec.code}, {"reason", spec.reason}, {"finishedAt", spec.finished}};
    if (!spec.message.empty()) terminated["message"] = spec.message;
    status["containerStatuses"] = {
        {{"name", "tensorflow"}, {"state", {{"terminated", std::move(terminated)}}}}};
  }
  return {{"metadata", std::move(metadata)},
          {"spec", {{"containers", {{{"name", "tensorflow"}}}}}},
          {"status", std::move(status)}};
}

json job(const JobSpec& spec) {
  return {{"apiVersion", "kubeflow.org/v1"},
          {"kind", "TFJob"},
          {"metadata",
           {{"name", spec.name},
            {"namespace", "team"},
            {"uid", spec.uid},
            {"annotations", spec.annotations}}},
          {"spec",
           {{"runPolicy", spec.run_policy},
            {"tfReplicaSpecs", {{"Worker", {{"replicas", 1}, {"restartPolicy", spec.policy}}}}}}},
          {"status", spec.status}};
}

enforcer::JobRef tfjob_ref() {
  return {.kind = enforcer::find_job_kind("kubeflow.org/v1", "TFJob"),
          .name_space = "team",
          .name = "mnist",
          .uid = "job-1"};
}

std::string pod_path(const std::string& name) { return "/api/v1/namespaces/team/pods/" + name; }

std::string job_path(const std::string& name) {
  return "/apis/kubeflow.org/v1/namespaces/team/tfjobs/" + name;
}

}  // namespace enforcer_test
