#include "jobs/reader.h"

#include <string>

#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::Shape;
using support::ParsedJob;

TEST_CASE("a job's fields are found", "[jobs][reader]") {
  const ParsedJob parsed(R"({
    "metadata": {"name": "a", "generateName": "a-", "deletionTimestamp": "2026-12-01T00:00:00Z",
                 "annotations": {"x": "12345", "exit-codes.kubeflow.org/profile": "signals"}},
    "spec": {"backoffLimit": 0, "activeDeadlineSeconds": 60, "elasticPolicy": {},
             "runPolicy": {"backoffLimit": 3 , "activeDeadlineSeconds": 70},
             "tfReplicaSpecs": {"Worker": {"restartPolicy": "Never", "template": {
               "metadata": {"annotations": {"exit-codes.kubeflow.org/max-retries": "3"}},
               "spec": {"restartPolicy": "Always", "containers": [{"name": "a"}, {"name": "b"}]}}}}}})");
  const jobs::Job& job = parsed.job();
  CHECK(job.name == "a");
  CHECK(job.generate_name == "a-");
  CHECK(job.deleting);
  CHECK(job.annotations.bytes == 1 + 5 + 31 + 7);
  REQUIRE(job.annotations.ours.size() == 1);
  CHECK(job.annotations.find("exit-codes.kubeflow.org/profile").text == "signals");
  CHECK(job.backoff_limit.text == "0");
  CHECK(job.run_policy_backoff_limit.text == "3");
  CHECK(job.active_deadline.text == "60");
  CHECK(job.run_policy_active_deadline.text == "70");
  CHECK(job.elastic_policy == Shape::object);
  const jobs::ReplicaSpecs* const specs = job.find_specs("tfReplicaSpecs");
  REQUIRE(specs != nullptr);
  REQUIRE(specs->replicas.size() == 1);
  const jobs::Replica& worker = specs->replicas.front();
  CHECK(worker.type.text == "Worker");
  CHECK(worker.restart_policy.text == "Never");
  CHECK(worker.pod_template.restart_policy.text == "Always");
  CHECK(worker.pod_template.container_names == std::vector<std::string_view>{"a", "b"});
  CHECK(worker.pod_template.annotations.find("exit-codes.kubeflow.org/max-retries").text == "3");
}

TEST_CASE("keys written with escapes are found", "[jobs][reader]") {
  const ParsedJob parsed(
      R"({"sp\u0065c":{"tfReplicaSpecs":{"A\u0026B":{"restart\u0050olicy":"N\u0065ver"}}}})");
  const jobs::ReplicaSpecs* const specs = parsed.job().find_specs("tfReplicaSpecs");
  REQUIRE(specs != nullptr);
  CHECK(specs->replicas.front().type.text == "A&B");
  CHECK(specs->replicas.front().restart_policy.text == "Never");
}

TEST_CASE("many annotations are counted as the API server does", "[jobs][reader]") {
  // a, a quote, a line feed, e with an accent, and an emoji as two surrogates.
  const std::string value = R"("a\"\n\u00e9\uD83D\uDE00")";
  const std::size_t bytes = 1 + 1 + 1 + 2 + 4;
  constexpr std::size_t kMany = 12000;
  std::string annotations;
  std::size_t keys = 0;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string key = "k" + std::to_string(i);
    keys += key.size();
    if (i > 0) annotations += ',';
    annotations.append("\"").append(key).append("\" : ").append(value).append(" ");
  }
  const ParsedJob parsed(R"({"metadata":{"annotations":{)" + annotations + "}}}");
  CHECK(parsed.job().annotations.bytes == keys + kMany * bytes);
}

TEST_CASE("of two equal keys the last counts", "[jobs][reader]") {
  const ParsedJob parsed(R"({
    "metadata": {"annotations": {"exit-codes.kubeflow.org/profile": "a",
                                 "exit-codes.kubeflow.org/profile": "bc"}},
    "spec": {"backoffLimit": 0},
    "spec": {"tfReplicaSpecs": {"Chief": {}},
             "tfReplicaSpecs": {"Worker": {"restartPolicy": "Never", "restartPolicy": "Always"},
                                "PS": {}, "Worker": {"restartPolicy": "OnFailure"}}}})");
  const jobs::Job& job = parsed.job();
  CHECK(job.annotations.find("exit-codes.kubeflow.org/profile").text == "bc");
  CHECK(job.annotations.bytes == 31 + 2);
  CHECK(job.backoff_limit.shape == Shape::absent);
  REQUIRE(job.specs.size() == 1);
  REQUIRE(job.specs.front().replicas.size() == 2);
  CHECK(job.specs.front().replicas.front().restart_policy.text == "OnFailure");
}

TEST_CASE("a place of the wrong shape is noted, not an error", "[jobs][reader]") {
  CHECK(ParsedJob(R"({"metadata":7})").job().metadata == Shape::number);
  CHECK(ParsedJob(R"({"metadata":{"annotations":[]}})").job().annotations.shape == Shape::array);
  CHECK(ParsedJob(R"({"spec":null})").job().spec == Shape::null);
  CHECK(ParsedJob(R"({"spec":{"tfReplicaSpecs":true}})").job().specs.front().shape ==
        Shape::boolean);
  const ParsedJob policy(R"({"spec":{"tfReplicaSpecs":{"Worker":{"restartPolicy":[{}]}}}})");
  CHECK(policy.job().specs.front().replicas.front().restart_policy.shape == Shape::array);
}

TEST_CASE("replicas of v1alpha1 are a list with types in it", "[jobs][reader]") {
  const ParsedJob parsed(
      R"({"spec":{"replicaSpecs":[{"tfReplicaType":"PS"},{"template":{"spec":{}}},null,{"tfReplicaType":5}]}})",
      "TFJob", "v1alpha1");
  const auto& replicas = parsed.job().specs.front().replicas;
  REQUIRE(replicas.size() == 4);
  CHECK(replicas[0].type.text == "PS");
  CHECK(replicas[1].type.shape == Shape::absent);
  CHECK(replicas[2].shape == Shape::null);
  CHECK(replicas[3].type.shape == Shape::number);
}

TEST_CASE("of equal keys the last counts, however many there are", "[jobs][reader]") {
  std::string annotations = R"("exit-codes.kubeflow.org/k0":"first")";
  std::string replicas = R"("R0":{"restartPolicy":"Never"})";
  for (int i = 1; i < 100; ++i) {
    const std::string number = std::to_string(i);
    annotations += R"(,"exit-codes.kubeflow.org/k)" + number + R"(":"")";
    replicas += R"(,"R)" + number + R"(":{})";
  }
  annotations += R"(,"exit-codes.kubeflow.org/k0":"last","exit-codes.kubeflow.org/k99":"late")";
  replicas += R"(,"R0":{"restartPolicy":"Always"},"R99":null)";
  const ParsedJob parsed(R"({"metadata":{"annotations":{)" + annotations +
                         R"(}},"spec":{"tfReplicaSpecs":{)" + replicas + "}}}");
  const jobs::Job& job = parsed.job();
  CHECK(job.annotations.ours.size() == 100);
  CHECK(job.annotations.ours.front().value.text == "last");
  CHECK(job.annotations.ours.back().value.text == "late");
  CHECK(job.annotations.bytes == 10 * 26 + 90 * 27 + 8);
  REQUIRE(job.specs.front().replicas.size() == 100);
  CHECK(job.specs.front().replicas.front().restart_policy.text == "Always");
  CHECK(job.specs.front().replicas.back().shape == Shape::null);
}

TEST_CASE("broken JSON on the way is an error", "[jobs][reader]") {
  CHECK_THROWS(ParsedJob(R"({"spec":{"tfReplicaSpecs":{"Worker")"));
  CHECK_THROWS(ParsedJob(R"({"metadata":{"name":"\x"}})"));
  CHECK_THROWS(ParsedJob(R"({"spec" 5})"));
}
