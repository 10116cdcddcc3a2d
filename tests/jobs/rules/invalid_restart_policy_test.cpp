#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::invalid_restart_policy;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("the four policies pass", "[jobs][rules]") {
  for (const char* policy : {"Always", "OnFailure", "Never", "ExitCode"}) {
    INFO(policy);
    CHECK(findings_of(invalid_restart_policy,
                      tfjob(replica("Worker", "\"" + std::string(policy) + "\"")))
              .empty());
  }
}

TEST_CASE("absent, null and empty policies pass", "[jobs][rules]") {
  CHECK(findings_of(invalid_restart_policy, tfjob(R"("Worker":{})")).empty());
  CHECK(findings_of(invalid_restart_policy, tfjob(replica("Worker", "null"))).empty());
  CHECK(findings_of(invalid_restart_policy, tfjob(replica("Worker", R"("")"))).empty());
}

TEST_CASE("another word is denied and the four are named", "[jobs][rules]") {
  const auto findings =
      findings_of(invalid_restart_policy, tfjob(replica("Worker", R"("Sometimes")")));
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "invalid-restart-policy");
  CHECK(findings.front().severity == jobs::Severity::denied);
  CHECK(findings.front().field == "spec.tfReplicaSpecs[Worker].restartPolicy");
  CHECK(findings.front().value == "\"Sometimes\"");
  CHECK(findings.front().message ==
        "\"Sometimes\" is no restart policy: use one of Always, OnFailure, Never, ExitCode");
}

TEST_CASE("wrong case and near misses are told the nearest", "[jobs][rules]") {
  CHECK(lines(findings_of(invalid_restart_policy, tfjob(replica("PS", R"("exitcode")")))) ==
        Lines{"spec.tfReplicaSpecs[PS].restartPolicy: \"exitcode\" is no restart policy: did you "
              "mean ExitCode? Or use one of Always, OnFailure, Never, ExitCode"});
  CHECK(lines(findings_of(invalid_restart_policy, tfjob(replica("PS", R"("OnFailed")")))) ==
        Lines{"spec.tfReplicaSpecs[PS].restartPolicy: \"OnFailed\" is no restart policy: did you "
              "mean OnFailure? Or use one of Always, OnFailure, Never, ExitCode"});
}

TEST_CASE("a policy that is no string is denied", "[jobs][rules]") {
  CHECK(lines(findings_of(invalid_restart_policy, tfjob(replica("Worker", "false")))) ==
        Lines{"spec.tfReplicaSpecs[Worker].restartPolicy: must be a string, not false: use one of "
              "Always, OnFailure, Never, ExitCode"});
  CHECK(lines(findings_of(invalid_restart_policy, tfjob(replica("Worker", "[1]")))) ==
        Lines{"spec.tfReplicaSpecs[Worker].restartPolicy: must be a string, not a list: use one of "
              "Always, OnFailure, Never, ExitCode"});
}

TEST_CASE("every bad replica is reported", "[jobs][rules]") {
  const auto findings = findings_of(
      invalid_restart_policy, tfjob(replica("Chief", R"("a")") + "," + replica("PS", R"("Never")") +
                                    "," + replica("Worker", R"("b")")));
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].field == "spec.tfReplicaSpecs[Chief].restartPolicy");
  CHECK(findings[1].field == "spec.tfReplicaSpecs[Worker].restartPolicy");
}

TEST_CASE("v1alpha1 has Kubernetes' three policies in the template", "[jobs][rules]") {
  const auto job = [](const std::string& policy) {
    return R"({"spec":{"replicaSpecs":[{"template":{"spec":{"restartPolicy":)" + policy + "}}}]}}";
  };
  CHECK(findings_of(invalid_restart_policy, job(R"("OnFailure")"), "TFJob", "v1alpha1").empty());
  CHECK(lines(findings_of(invalid_restart_policy, job(R"("ExitCode")"), "TFJob", "v1alpha1")) ==
        Lines{"spec.replicaSpecs[0].template.spec.restartPolicy: \"ExitCode\" is no restart policy "
              "of this version of TFJob: use one of Always, OnFailure, Never"});
}

TEST_CASE("MPIJob v2beta1 has Never and OnFailure", "[jobs][rules]") {
  const auto job = [](const std::string& policy) {
    return R"({"spec":{"mpiReplicaSpecs":{"Worker":{"restartPolicy":)" + policy + "}}}}";
  };
  CHECK(findings_of(invalid_restart_policy, job(R"("OnFailure")"), "MPIJob", "v2beta1").empty());
  CHECK(
      lines(findings_of(invalid_restart_policy, job(R"("Always")"), "MPIJob", "v2beta1")) ==
      Lines{"spec.mpiReplicaSpecs[Worker].restartPolicy: \"Always\" is no restart policy: use one "
            "of Never, OnFailure"});
}
