#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::elastic_exit_code;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

namespace {

std::string pytorch(const std::string& policy, const std::string& elastic) {
  return R"({"spec":{"elasticPolicy":)" + elastic +
         R"(,"pytorchReplicaSpecs":{"Worker":{"restartPolicy":")" + policy + "\"}}}}";
}

}  // namespace

TEST_CASE("elastic jobs under other policies, and others under ExitCode, pass", "[jobs][rules]") {
  CHECK(findings_of(elastic_exit_code, pytorch("OnFailure", "{}"), "PyTorchJob").empty());
  CHECK(findings_of(elastic_exit_code, pytorch("ExitCode", "null"), "PyTorchJob").empty());
  CHECK(findings_of(elastic_exit_code,
                    tfjob(replica("Worker", R"("ExitCode")"), R"("elasticPolicy":{})"))
            .empty());
}

TEST_CASE("an elastic PyTorchJob under ExitCode is told", "[jobs][rules]") {
  const auto findings = findings_of(elastic_exit_code,
                                    pytorch("ExitCode", R"({"rdzvBackend":"c10d"})"), "PyTorchJob");
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "elastic-exit-code");
  CHECK(findings.front().severity == jobs::Severity::warned);
  CHECK(
      lines(findings) ==
      Lines{"spec.elasticPolicy: torchrun ends with 1 whatever its child ended with: ExitCode sees "
            "only 1; use OnFailure"});
}
