#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::exit_code_container_missing;
using support::findings_of;
using support::lines;
using support::tfjob;
using Lines = std::vector<std::string>;

namespace {

std::string job_with(const std::string& containers, const std::string& policy = "ExitCode") {
  return tfjob(R"("Worker":{"restartPolicy":")" + policy +
               R"(","template":{"spec":{"containers":)" + containers + "}}}");
}

}  // namespace

TEST_CASE("a container of the right name passes, wherever it stands", "[jobs][rules]") {
  CHECK(findings_of(exit_code_container_missing,
                    job_with(R"([{"name":"proxy"},{"name":"tensorflow"}])"))
            .empty());
}

TEST_CASE("other policies need no container of that name", "[jobs][rules]") {
  CHECK(findings_of(exit_code_container_missing, job_with(R"([{"name":"main"}])", "OnFailure"))
            .empty());
}

TEST_CASE("a near miss is suggested", "[jobs][rules]") {
  const auto findings = findings_of(exit_code_container_missing,
                                    job_with(R"([{"name":"proxy"},{"name":"tensorfow"}])"));
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "exit-code-container-missing");
  CHECK(findings.front().severity == jobs::Severity::denied);
  CHECK(findings.front().value == "proxy, tensorfow");
  CHECK(lines(findings) ==
        Lines{"spec.tfReplicaSpecs[Worker].template.spec.containers: has no container named "
              "\"tensorflow\", the one whose exit code the operator reads under ExitCode: rename "
              "\"tensorfow\" to it"});
}

TEST_CASE("with several strangers, or none, the name is asked for", "[jobs][rules]") {
  const std::string asked =
      "spec.tfReplicaSpecs[Worker].template.spec.containers: has no container named "
      "\"tensorflow\", the one whose exit code the operator reads under ExitCode: name the "
      "training "
      "container so";
  CHECK(lines(findings_of(exit_code_container_missing,
                          job_with(R"([{"name":"main"},{"name":"proxy"}])"))) == Lines{asked});
  CHECK(lines(findings_of(exit_code_container_missing, job_with("[]"))) == Lines{asked});
  CHECK(lines(findings_of(exit_code_container_missing, job_with("null"))) == Lines{asked});
}

TEST_CASE("each kind reads its own container", "[jobs][rules]") {
  const std::string job =
      R"({"spec":{"xgbReplicaSpecs":{"Master":{"restartPolicy":"ExitCode","template":{"spec":{
          "containers":[{"name":"xgboost"}]}}}}}})";
  CHECK(findings_of(exit_code_container_missing, job, "XGBoostJob").empty());
}

TEST_CASE("MPIJob reads none", "[jobs][rules]") {
  const std::string job =
      R"({"spec":{"mpiReplicaSpecs":{"Worker":{"restartPolicy":"ExitCode","template":{"spec":{
          "containers":[{"name":"mpi"}]}}}}}})";
  CHECK(findings_of(exit_code_container_missing, job, "MPIJob").empty());
}

TEST_CASE("containers that cannot be read are another rule's", "[jobs][rules]") {
  CHECK(findings_of(exit_code_container_missing, job_with("{}")).empty());
  CHECK(findings_of(exit_code_container_missing, tfjob(R"("Worker":{"restartPolicy":"ExitCode"})"))
            .empty());
}
