#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::backoff_limit_zero;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("no limit, a higher one, and other policies pass", "[jobs][rules]") {
  const std::string worker = replica("Worker", R"("ExitCode")");
  CHECK(findings_of(backoff_limit_zero, tfjob(worker)).empty());
  CHECK(findings_of(backoff_limit_zero, tfjob(worker, R"("backoffLimit":3)")).empty());
  CHECK(findings_of(backoff_limit_zero, tfjob(worker, R"("backoffLimit":null)")).empty());
  CHECK(findings_of(backoff_limit_zero,
                    tfjob(replica("Worker", R"("OnFailure")"), R"("backoffLimit":0)"))
            .empty());
}

TEST_CASE("zero beside ExitCode is told, once, where it stands", "[jobs][rules]") {
  const std::string replicas =
      replica("Worker", R"("ExitCode")") + "," + replica("Chief", R"("ExitCode")");
  const std::string message =
      "0 fails the job at its first failed pod, so ExitCode retries nothing: remove it or raise it";
  const auto findings = findings_of(backoff_limit_zero, tfjob(replicas, R"("backoffLimit":0)"));
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "backoff-limit-zero");
  CHECK(findings.front().severity == jobs::Severity::warned);
  CHECK(lines(findings) == Lines{"spec.backoffLimit: " + message});
  CHECK(lines(findings_of(backoff_limit_zero,
                          tfjob(replicas, R"("runPolicy":{"backoffLimit":0})"))) ==
        Lines{"spec.runPolicy.backoffLimit: " + message});
}
