#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::exit_code_unsupported;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("kinds whose operator reads codes pass", "[jobs][rules]") {
  CHECK(findings_of(exit_code_unsupported, tfjob(replica("Worker", R"("ExitCode")"))).empty());
}

TEST_CASE("ExitCode on MPIJob v1 is told", "[jobs][rules]") {
  const auto findings = findings_of(
      exit_code_unsupported,
      R"({"spec":{"mpiReplicaSpecs":{"Launcher":{"restartPolicy":"ExitCode"},"Worker":{}}}})",
      "MPIJob");
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "exit-code-unsupported");
  CHECK(findings.front().severity == jobs::Severity::warned);
  CHECK(
      lines(findings) ==
      Lines{"spec.mpiReplicaSpecs[Launcher].restartPolicy: the operator neither retries nor fails "
            "MPIJob under ExitCode: use OnFailure or Never"});
}
