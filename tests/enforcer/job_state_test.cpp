#include "enforcer/job_state.h"

#include "tests/enforcer/objects.h"
#include "tests/support/catch.h"

using enforcer::JobState;
using enforcer_test::job;
using nlohmann::json;

namespace {

JobState read(const json& object) {
  const auto state = enforcer::parse_job(*enforcer_test::tfjob_ref().kind, object.dump());
  REQUIRE(state);
  return *state;
}

json condition(const char* type, const char* status, const char* reason = "r",
               const char* time = "2026-12-01T08:00:00Z") {
  return {{"type", type},
          {"status", status},
          {"reason", reason},
          {"message", "m"},
          {"lastTransitionTime", time}};
}

JobState with_conditions(json conditions) {
  return read(job({.status = {{"conditions", std::move(conditions)}}}));
}

}  // namespace

TEST_CASE("A running job is read", "[enforcer][job_state]") {
  json object = job();
  object["metadata"]["resourceVersion"] = "7";
  object["metadata"]["annotations"]["exit-codes.kubeflow.org/table"] = "t";
  const JobState state = read(object);
  CHECK(state.uid == "job-1");
  CHECK(state.resource_version == "7");
  CHECK(state.table == "t");
  CHECK(state.policies == std::map<std::string, std::string>{{"worker", "ExitCode"}});
  CHECK_FALSE(state.deleting);
  CHECK_FALSE(state.suspended);
  CHECK_FALSE(state.finished);
  CHECK(state.manager.empty());
  CHECK(state.retries.job == "job-1");
}

TEST_CASE("A replica without a policy has its kind's default", "[enforcer][job_state]") {
  json object = job({.policy = ""});
  object["spec"]["tfReplicaSpecs"]["PS"] = json::object();
  const JobState state = read(object);
  CHECK(state.policies.at("worker") == "Never");
  CHECK(state.policies.at("ps") == "Never");
}

TEST_CASE("An end is told from its conditions", "[enforcer][job_state]") {
  CHECK(with_conditions({condition("Succeeded", "True")}).finished);
  CHECK_FALSE(with_conditions({condition("Succeeded", "False")}).finished);
  const JobState by_operator = with_conditions({condition("Failed", "True", "TFJobFailed")});
  CHECK(by_operator.finished);
  CHECK_FALSE(by_operator.failed_by_us);
  for (const char* const reason : {"ExitCodePermanent", "MaxRetriesExceeded"}) {
    const JobState by_us = with_conditions({condition("Failed", "True", reason)});
    CHECK(by_us.finished);
    CHECK(by_us.failed_by_us);
    CHECK(by_us.failed_message == "m");
  }
}

TEST_CASE("Who runs a job, and whether, is read", "[enforcer][job_state]") {
  CHECK(read(job({.run_policy = {{"suspend", true}}})).suspended);
  CHECK(read(job({.run_policy = {{"managedBy", "kueue.x-k8s.io/multikueue"}}})).manager ==
        "kueue.x-k8s.io/multikueue");
  CHECK(
      read(job({.run_policy = {{"managedBy", "kubeflow.org/training-operator"}}})).manager.empty());
  json deleting = job();
  deleting["metadata"]["deletionTimestamp"] = "2026-12-01T08:00:00Z";
  CHECK(read(deleting).deleting);
  json dynamic = job();
  dynamic["spec"]["enableDynamicWorker"] = true;
  CHECK(read(dynamic).dynamic_workers);
}

TEST_CASE("Retries count from the last time that the job was resumed", "[enforcer][job_state]") {
  const std::string before =
      R"({"version":1,"job":"job-1","replicas":{"worker-0":{"retries":2,"pod":"a","resourceVersion":"7"}}})";
  const json annotations{{"exit-codes.kubeflow.org/retries", before}};
  CHECK(read(job({.annotations = annotations})).retries.count("worker-0") == 2);
  const JobState resumed = read(job(
      {.status = {{"conditions", {condition("Suspended", "False", "r", "2026-12-01T09:00:00Z")}}},
       .annotations = annotations}));
  CHECK(resumed.retries.count("worker-0") == 0);
  CHECK(resumed.retries.resumed == "2026-12-01T09:00:00Z");
}

TEST_CASE("What is no job is told", "[enforcer][job_state]") {
  for (const char* const text : {"", "[]", "{}", "no json"}) {
    CHECK_FALSE(enforcer::parse_job(*enforcer_test::tfjob_ref().kind, text));
  }
}
