#include "operators/finding.h"

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "exit_codes/profile.h"
#include "jobs/reader.h"
#include "tests/support/catch.h"

namespace {

/// "FIELD: MESSAGE" of each finding about the job of that kind whose replicas are given.
std::vector<std::string> findings(std::string_view kind, std::string_view specs,
                                  const nlohmann::json& replicas,
                                  std::string_view which = "training-operator/1.9") {
  const nlohmann::json object = {{"spec", {{specs, replicas}}}};
  const simdjson::padded_string json(object.dump());
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(json);
  const simdjson::ondemand::value value = document;
  jobs::Job job;
  REQUIRE(jobs::read_job(value, job) == simdjson::SUCCESS);
  const exit_codes::Profiles profiles;
  const jobs::Subject subject = jobs::make_subject(*jobs::find_kind("kubeflow.org", "v1", kind),
                                                   job, profiles, *profiles.find("kubeflow"));
  std::vector<std::string> lines;
  for (const jobs::Finding& finding :
       operators::operator_disagrees(subject, **operators::find_operator(which))) {
    CHECK(finding.rule == "operator-disagrees");
    CHECK(finding.severity == jobs::Severity::warned);
    lines.push_back(finding.field + ": " + finding.message);
  }
  return lines;
}

nlohmann::json replica(const std::string& policy, const nlohmann::json& annotations = {}) {
  return {{"restartPolicy", policy}, {"template", {{"metadata", {{"annotations", annotations}}}}}};
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("what the operator retries though the table does not is told", "[operators][finding]") {
  CHECK(findings("TFJob", "tfReplicaSpecs", {{"Worker", replica("ExitCode")}}) ==
        Lines{"spec.tfReplicaSpecs[Worker].restartPolicy: training-operator/1.9 retries 128, 129, "
              "131-136, 139-142, 144-255, OOMKilled (permanent in the table), fails on a Running "
              "pod that is deleted: run a controller that honours the table; 'tfjob-webhook "
              "explain' tells the whole"});
}

TEST_CASE("what the operator fails on though the table retries it is told",
          "[operators][finding]") {
  const auto lines =
      findings("PyTorchJob", "pytorchReplicaSpecs",
               {{"Worker", replica("ExitCode", {{"exit-codes.kubeflow.org/profile", "signals"},
                                                {"exit-codes.kubeflow.org/retryable", "42"},
                                                {"exit-codes.kubeflow.org/max-retries", "3"}})}});
  CHECK(lines == Lines{"spec.pytorchReplicaSpecs[Worker].restartPolicy: training-operator/1.9 "
                       "retries OOMKilled (permanent in the table), fails on 42 (retryable in the "
                       "table), does not count to max-retries: run a controller that honours the "
                       "table; end with 138 what shall be retried; 'tfjob-webhook explain' tells "
                       "the whole"});
}

TEST_CASE("replicas that part in the same way are told together", "[operators][finding]") {
  const auto lines = findings("PyTorchJob", "pytorchReplicaSpecs",
                              {{"Master", replica("ExitCode")}, {"Worker", replica("ExitCode")}});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("spec.pytorchReplicaSpecs[Master].restartPolicy: "));
  CHECK(lines[0].ends_with(" (also Worker)"));
}

TEST_CASE("nothing is told of other policies, of kinds not served and of those that read no codes",
          "[operators][finding]") {
  CHECK(findings("TFJob", "tfReplicaSpecs", {{"Worker", replica("OnFailure")}}).empty());
  CHECK(findings("MXJob", "mxReplicaSpecs", {{"Worker", replica("ExitCode")}}).empty());
  CHECK(findings("MPIJob", "mpiReplicaSpecs", {{"Worker", replica("ExitCode")}}).empty());
}

TEST_CASE("up to 1.7 a code that is not retried leaves a PyTorchJob hanging",
          "[operators][finding]") {
  const auto lines = findings("PyTorchJob", "pytorchReplicaSpecs",
                              {{"Worker", replica("ExitCode")}}, "training-operator/1.7");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("neither retries nor fails on 1-127 (permanent in the table)") !=
        std::string::npos);
  CHECK(lines[0].find("set activeDeadlineSeconds") != std::string::npos);
}
