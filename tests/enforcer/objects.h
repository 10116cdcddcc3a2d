#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "enforcer/job_ref.h"

namespace enforcer_test {

/// What a pod of a TFJob is like.
struct PodSpec {
  std::string name = "mnist-worker-0";
  std::string uid = "pod-1";
  std::string job = "mnist";
  std::string job_uid = "job-1";
  std::string kind = "TFJob";
  std::string api_version = "kubeflow.org/v1";
  std::string type = "worker";
  std::string index = "0";
  std::string profile = "kubeflow";  ///< of its table; empty: no table
  int max_retries = -1;              ///< of its table; negative: unlimited
  std::string phase = "Failed";
  std::optional<int> code = 1;  ///< of container "tensorflow"; nullopt: it did not end
  std::string reason = "Error";
  std::string finished = "2026-12-01T08:00:00Z";
  std::string message = {};
  std::string deleted = {};  ///< deletionTimestamp
  int grace = 0;             ///< deletionGracePeriodSeconds
  int generation = 1;
  int observed_generation = 1;
  bool held = false;
  std::string created = "2026-12-01T07:59:00Z";
  std::string version = "10";  ///< resource version
  nlohmann::json conditions = nlohmann::json::array();
};

[[nodiscard]] nlohmann::json pod(const PodSpec& spec = {});

/// What a TFJob is like.
struct JobSpec {
  std::string name = "mnist";
  std::string uid = "job-1";
  std::string policy = "ExitCode";  ///< of its worker
  nlohmann::json status = {
      {"conditions",
       {{{"type", "Created"}, {"status", "True"}}, {{"type", "Running"}, {"status", "True"}}}}};
  nlohmann::json annotations = nlohmann::json::object();
  nlohmann::json run_policy = nlohmann::json::object();
};

[[nodiscard]] nlohmann::json job(const JobSpec& spec = {});

/// The row of TFJob; the job of `PodSpec` and `JobSpec` as they are by default.
[[nodiscard]] enforcer::JobRef tfjob_ref();

/// Paths in namespace "team".
[[nodiscard]] std::string pod_path(const std::string& name = "mnist-worker-0");
[[nodiscard]] std::string job_path(const std::string& name = "mnist");

}  // namespace enforcer_test
