#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::unknown_replica_type;
using support::findings_of;
using support::lines;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("known types pass, folded where the operator folds", "[jobs][rules]") {
  CHECK(findings_of(unknown_replica_type,
                    tfjob(R"("Chief":{},"Master":{},"ps":{},"WORKER":{},"Evaluator":{})"))
            .empty());
}

TEST_CASE("an unknown type is told the nearest, or all", "[jobs][rules]") {
  const auto findings = findings_of(unknown_replica_type, tfjob(R"("Evaluater":{},"Sidekick":{})"));
  REQUIRE(findings.size() == 2);
  CHECK(findings.front().rule == "unknown-replica-type");
  CHECK(findings.front().severity == jobs::Severity::warned);
  CHECK(lines(findings) ==
        Lines{"spec.tfReplicaSpecs[Evaluater]: \"Evaluater\" is no replica type of TFJob: did you "
              "mean Evaluator?",
              "spec.tfReplicaSpecs[Sidekick]: \"Sidekick\" is no replica type of TFJob: use Chief, "
              "Master, PS, Worker, Evaluator"});
}

TEST_CASE("where nothing is folded, case matters", "[jobs][rules]") {
  CHECK(lines(findings_of(unknown_replica_type, R"({"spec":{"mpiReplicaSpecs":{"worker":{}}}})",
                          "MPIJob")) ==
        Lines{"spec.mpiReplicaSpecs[worker]: \"worker\" is no replica type of MPIJob: did you mean "
              "Worker?"});
  CHECK(lines(findings_of(unknown_replica_type,
                          R"({"spec":{"replicaSpecs":[{},{"tfReplicaType":"Worker"},
                              {"tfReplicaType":3}]}})",
                          "TFJob", "v1alpha1")) ==
        Lines{"spec.replicaSpecs[1].tfReplicaType: \"Worker\" is no replica type of TFJob: did you "
              "mean WORKER?"});
}
