#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::malformed_job;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

TEST_CASE("a whole job passes", "[jobs][rules]") {
  CHECK(findings_of(malformed_job, tfjob(replica("Worker", R"("Never")"))).empty());
}

TEST_CASE("missing replica specs are denied", "[jobs][rules]") {
  const std::string need = "is missing: TFJob needs spec.tfReplicaSpecs with at least one replica";
  CHECK(lines(findings_of(malformed_job, "{}")) == Lines{"spec: " + need});
  CHECK(lines(findings_of(malformed_job, R"({"spec":null})")) == Lines{"spec: " + need});
  CHECK(lines(findings_of(malformed_job, R"({"spec":{}})")) ==
        Lines{"spec.tfReplicaSpecs: " + need});
  CHECK(lines(findings_of(malformed_job, R"({"spec":{"tfReplicaSpecs":null}})")) ==
        Lines{"spec.tfReplicaSpecs: " + need});
  CHECK(lines(findings_of(malformed_job, tfjob(""))) ==
        Lines{"spec.tfReplicaSpecs: is empty: give the job at least one replica"});
  CHECK(lines(findings_of(malformed_job, R"({"spec":{"replicaSpecs":[]}})", "TFJob", "v1alpha1")) ==
        Lines{"spec.replicaSpecs: is empty: give the job at least one replica"});
}

TEST_CASE("replica specs of another kind are no replica specs", "[jobs][rules]") {
  CHECK(
      lines(findings_of(malformed_job, tfjob(replica("Worker", R"("Never")")), "JAXJob")) ==
      Lines{"spec.jaxReplicaSpecs: is missing: JAXJob needs spec.jaxReplicaSpecs with at least one "
            "replica"});
}

TEST_CASE("null replicas and missing templates are denied", "[jobs][rules]") {
  const auto findings =
      findings_of(malformed_job, tfjob(R"("Chief":null,"PS":{},"Worker":{"template":null})"));
  REQUIRE(findings.size() == 3);
  CHECK(findings.front().rule == "malformed-job");
  CHECK(findings.front().severity == jobs::Severity::denied);
  CHECK(lines(findings) ==
        Lines{"spec.tfReplicaSpecs[Chief]: is null: give the replica a pod template, or remove it",
              "spec.tfReplicaSpecs[PS].template: is missing: give the replica a pod template with "
              "its containers",
              "spec.tfReplicaSpecs[Worker].template: is missing: give the replica a pod template "
              "with its containers"});
}

TEST_CASE("what is not an object or a list where one belongs is denied", "[jobs][rules]") {
  CHECK(
      lines(findings_of(malformed_job, R"({"metadata":5,"spec":"x"})")) ==
      Lines{"metadata: must be an object, not a number", "spec: must be an object, not a string"});
  const std::string master = "spec.tfReplicaSpecs[Master].template";
  CHECK(lines(findings_of(malformed_job, tfjob(R"("Worker":[],"PS":{"template":true},
                                   "Chief":{"template":{"metadata":"m","spec":[]}},
                                   "Master":{"template":{"metadata":{"annotations":"a"},
                                             "spec":{"containers":{}}}})",
                                               R"("runPolicy":[])", R"("annotations":[])"))) ==
        Lines{"metadata.annotations: must be an object, not a list",
              "spec.runPolicy: must be an object, not a list",
              "spec.tfReplicaSpecs[Worker]: must be an object, not a list",
              "spec.tfReplicaSpecs[PS].template: must be an object, not a boolean",
              "spec.tfReplicaSpecs[Chief].template.metadata: must be an object, not a string",
              "spec.tfReplicaSpecs[Chief].template.spec: must be an object, not a list",
              master + ".metadata.annotations: must be an object, not a string",
              master + ".spec.containers: must be a list, not an object"});
  CHECK(lines(findings_of(malformed_job, R"({"spec":{"tfReplicaSpecs":[]}})")) ==
        Lines{"spec.tfReplicaSpecs: must be an object, not a list"});
  CHECK(lines(findings_of(malformed_job, R"({"spec":{"replicaSpecs":{}}})", "TFJob", "v1alpha1")) ==
        Lines{"spec.replicaSpecs: must be a list, not an object"});
}

TEST_CASE("in v1alpha1 a PS may lack a template, others may not", "[jobs][rules]") {
  CHECK(lines(findings_of(malformed_job,
                          R"({"spec":{"replicaSpecs":[{"tfReplicaType":"PS"},
                              {"tfReplicaType":"WORKER"},{},{"tfReplicaType":7,"template":{}}]}})",
                          "TFJob", "v1alpha1")) ==
        Lines{"spec.replicaSpecs[1].template: is missing: give the replica a pod template with its "
              "containers",
              "spec.replicaSpecs[2].template: is missing: give the replica a pod template with its "
              "containers",
              "spec.replicaSpecs[3].tfReplicaType: must be a string, not a number"});
}
