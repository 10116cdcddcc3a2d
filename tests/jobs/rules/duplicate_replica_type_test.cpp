#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::duplicate_replica_type;
using support::findings_of;
using support::lines;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("types that differ pass", "[jobs][rules]") {
  CHECK(findings_of(duplicate_replica_type, tfjob(R"("worker":{},"PS":{},"Chief":{})")).empty());
}

TEST_CASE("types that the operator folds into one are denied", "[jobs][rules]") {
  const auto findings =
      findings_of(duplicate_replica_type, tfjob(R"("Worker":{},"PS":{},"worker":{},"WORKER":{})"));
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].rule == "duplicate-replica-type");
  CHECK(findings[0].severity == jobs::Severity::denied);
  CHECK(
      lines(findings) ==
      Lines{"spec.tfReplicaSpecs[worker]: is the same replica type as \"Worker\", and the operator "
            "silently drops one of them: keep one, named Worker",
            "spec.tfReplicaSpecs[WORKER]: is the same replica type as \"Worker\", and the operator "
            "silently drops one of them: keep one, named Worker"});
}

TEST_CASE("unknown types are not folded", "[jobs][rules]") {
  CHECK(findings_of(duplicate_replica_type, tfjob(R"("Foo":{},"foo":{})")).empty());
}

TEST_CASE("v1alpha1 and MPIJob fold nothing", "[jobs][rules]") {
  CHECK(findings_of(duplicate_replica_type,
                    R"({"spec":{"replicaSpecs":[{"tfReplicaType":"PS"},{"tfReplicaType":"PS"}]}})",
                    "TFJob", "v1alpha1")
            .empty());
  CHECK(findings_of(duplicate_replica_type,
                    R"({"spec":{"mpiReplicaSpecs":{"Worker":{},"worker":{}}}})", "MPIJob")
            .empty());
}
