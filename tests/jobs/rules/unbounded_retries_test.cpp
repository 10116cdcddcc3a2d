#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::unbounded_retries;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

namespace {

constexpr const char* kRetriesAll =
    R"("annotations":{"exit-codes.kubeflow.org/profile":"signals"})";

}  // namespace

TEST_CASE("a table that ends on unlisted codes passes", "[jobs][rules]") {
  CHECK(findings_of(unbounded_retries, tfjob(replica("Worker", R"("ExitCode")"))).empty());
}

TEST_CASE("a table that retries unlisted codes without a limit is told", "[jobs][rules]") {
  const auto findings = findings_of(unbounded_retries, tfjob(replica("Worker", R"("ExitCode")") +
                                                                 "," + replica("PS", R"("Never")"),
                                                             "", kRetriesAll));
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "unbounded-retries");
  CHECK(findings.front().severity == jobs::Severity::warned);
  CHECK(findings.front().value == "signals");
  CHECK(lines(findings) ==
        Lines{"spec.tfReplicaSpecs[Worker].restartPolicy: unlisted codes are retried without end: "
              "set max-retries or activeDeadlineSeconds"});
}

TEST_CASE("either limit will do, in either place", "[jobs][rules]") {
  const std::string worker = replica("Worker", R"("ExitCode")");
  CHECK(findings_of(unbounded_retries, tfjob(worker, R"("activeDeadlineSeconds":60)", kRetriesAll))
            .empty());
  CHECK(findings_of(unbounded_retries,
                    tfjob(worker, R"("runPolicy":{"activeDeadlineSeconds":60})", kRetriesAll))
            .empty());
  CHECK(findings_of(unbounded_retries,
                    tfjob(worker, "",
                          R"("annotations":{"exit-codes.kubeflow.org/profile":"signals",
                             "exit-codes.kubeflow.org/max-retries":"0"})"))
            .empty());
  CHECK(
      findings_of(unbounded_retries, tfjob(worker, R"("activeDeadlineSeconds":null)", kRetriesAll))
          .size() == 1);
}

TEST_CASE("a replica's own profile counts", "[jobs][rules]") {
  CHECK(findings_of(unbounded_retries,
                    tfjob(R"("Worker":{"restartPolicy":"ExitCode","template":{"metadata":{
                              "annotations":{"exit-codes.kubeflow.org/profile":"kubeflow"}}}})",
                          "", kRetriesAll))
            .empty());
}
