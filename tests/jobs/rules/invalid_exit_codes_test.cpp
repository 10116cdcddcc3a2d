#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::invalid_exit_codes;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("sound annotations pass on any replica", "[jobs][rules]") {
  CHECK(findings_of(invalid_exit_codes,
                    tfjob(replica("Worker", R"("Never")"), "",
                          R"("annotations":{"exit-codes.kubeflow.org/retryable":"42, SIGUSR2",
                             "exit-codes.kubeflow.org/permanent":"EX_CONFIG",
                             "exit-codes.kubeflow.org/profile":"signals",
                             "exit-codes.kubeflow.org/max-retries":"3",
                             "other.example.com/retryable":"nonsense"})"))
            .empty());
}

TEST_CASE("a bad list on the job is denied with its path", "[jobs][rules]") {
  const auto findings = findings_of(
      invalid_exit_codes, tfjob(replica("Worker", R"("Never")"), "",
                                R"("annotations":{"exit-codes.kubeflow.org/retryable":"256"})"));
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "invalid-exit-codes");
  CHECK(findings.front().severity == jobs::Severity::denied);
  CHECK(findings.front().field == "metadata.annotations[exit-codes.kubeflow.org/retryable]");
  CHECK(findings.front().value == "256");
  CHECK(findings.front().message == "'256' is not an exit code: write a number from 1 to 255");
}

TEST_CASE("a bad annotation on a replica is denied, whatever its policy", "[jobs][rules]") {
  CHECK(lines(findings_of(
            invalid_exit_codes,
            tfjob(R"("Worker":{"restartPolicy":"Never","template":{"metadata":{"annotations":{
                "exit-codes.kubeflow.org/max-retries":"-1"}},"spec":{}}})"))) ==
        Lines{"spec.tfReplicaSpecs[Worker].template.metadata.annotations[exit-codes.kubeflow.org/"
              "max-retries]: '-1' is negative: write a number from 0 to 999999999, or leave it out "
              "for no limit"});
}

TEST_CASE("one code on both sides of one metadata is denied", "[jobs][rules]") {
  CHECK(lines(findings_of(invalid_exit_codes,
                          tfjob("", "", R"("annotations":{"exit-codes.kubeflow.org/retryable":"42",
                                           "exit-codes.kubeflow.org/permanent":"40-45"})"))) ==
        Lines{"metadata.annotations[exit-codes.kubeflow.org/permanent]: lists 42 that "
              "exit-codes.kubeflow.org/retryable lists too: keep each code on one side"});
}

TEST_CASE("one code on different sides of job and replica passes", "[jobs][rules]") {
  CHECK(findings_of(invalid_exit_codes,
                    tfjob(R"("Worker":{"template":{"metadata":{"annotations":{
                              "exit-codes.kubeflow.org/permanent":"42"}}}})",
                          "", R"("annotations":{"exit-codes.kubeflow.org/retryable":"42"})"))
            .empty());
}
