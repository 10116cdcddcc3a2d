#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::unknown_annotation;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("the contract's keys and those of others pass", "[jobs][rules]") {
  CHECK(
      findings_of(unknown_annotation, tfjob("", "",
                                            R"("annotations":{"exit-codes.kubeflow.org/table":"{}",
                             "exit-codes.kubeflow.org/profile":"x",
                             "exit-codes.kubeflow.org/retryable":"x",
                             "exit-codes.kubeflow.org/permanent":"x",
                             "exit-codes.kubeflow.org/max-retries":"x",
                             "retriable":"x","kubeflow.org/retriable":"x"})"))
          .empty());
}

TEST_CASE("a misspelt key is told the nearest", "[jobs][rules]") {
  const auto findings =
      findings_of(unknown_annotation,
                  tfjob("", "", R"("annotations":{"exit-codes.kubeflow.org/retriable":"42"})"));
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "unknown-annotation");
  CHECK(findings.front().severity == jobs::Severity::warned);
  CHECK(lines(findings) == Lines{"metadata.annotations[exit-codes.kubeflow.org/retriable]: does "
                                 "nothing: did you mean retryable?"});
}

TEST_CASE("a key like no other is told all, on a template too", "[jobs][rules]") {
  CHECK(lines(findings_of(unknown_annotation,
                          tfjob(R"("Worker":{"template":{"metadata":{"annotations":{
                                    "exit-codes.kubeflow.org/colour":"red"}}}})"))) ==
        Lines{"spec.tfReplicaSpecs[Worker].template.metadata.annotations[exit-codes.kubeflow.org/"
              "colour]: does nothing: profile, retryable, permanent and max-retries exist"});
}

TEST_CASE("what the enforcer writes on a job is known there, and nowhere else", "[jobs][rules]") {
  const std::string retries = R"("annotations":{"exit-codes.kubeflow.org/retries":"{}"})";
  CHECK(findings_of(unknown_annotation, tfjob(replica("Worker", R"("ExitCode")"), "", retries))
            .empty());
  const std::string in_template =
      R"("Worker":{"restartPolicy":"ExitCode","template":{"metadata":{)" + retries + "}}}";
  CHECK(lines(findings_of(unknown_annotation, tfjob(in_template))).size() == 1);
}
