#include "jobs/subject.h"

#include <string>

#include "tests/support/catch.h"
#include "tests/support/job.h"

using support::ParsedJob;
using support::replica;
using support::tfjob;

TEST_CASE("an absent, null or empty policy is the default", "[jobs][subject]") {
  for (const char* policy : {R"("")", "null"}) {
    INFO(policy);
    const ParsedJob parsed(tfjob(replica("Worker", policy)));
    CHECK(parsed.subject().replicas.front().effective_policy == "Never");
  }
  const ParsedJob absent(R"({"spec":{"pytorchReplicaSpecs":{"Worker":{}}}})", "PyTorchJob");
  CHECK(absent.subject().replicas.front().effective_policy == "OnFailure");
  const ParsedJob unknown(tfjob(replica("Sidekick", "null")));
  CHECK(unknown.subject().replicas.front().effective_policy == "Never");
}

TEST_CASE("an invalid policy is none", "[jobs][subject]") {
  for (const char* policy : {R"("exitcode")", R"("Sometimes")", "5", "true", "{}", "[]"}) {
    INFO(policy);
    const ParsedJob parsed(tfjob(replica("Worker", policy)));
    CHECK_FALSE(parsed.subject().replicas.front().effective_policy);
    CHECK_FALSE(parsed.subject().replicas.front().uses_exit_code());
  }
}

TEST_CASE("paths name the replica", "[jobs][subject]") {
  const ParsedJob parsed(tfjob(replica("Worker", R"("Never")") + "," +
                               replica(R"(a/b~c\u0026d)", R"("Never")") + "," +
                               replica(R"(new\nline)", R"("Never")")));
  const jobs::Subject& subject = parsed.subject();
  CHECK(subject.path(subject.replicas[0]) == "spec.tfReplicaSpecs[Worker]");
  CHECK(subject.policy_path(subject.replicas[0]) == "spec.tfReplicaSpecs[Worker].restartPolicy");
  CHECK(subject.path(subject.replicas[1]) == "spec.tfReplicaSpecs[a/b~c&d]");
  CHECK(subject.path(subject.replicas[2]) == R"(spec.tfReplicaSpecs["new\u000aline"])");
}

TEST_CASE("in v1alpha1 the template holds the policy and MASTER is the default type",
          "[jobs][subject]") {
  const ParsedJob parsed(
      R"({"spec":{"replicaSpecs":[{"template":{"spec":{"restartPolicy":"OnFailure"}}},
                                   {"tfReplicaType":"PS"}]}})",
      "TFJob", "v1alpha1");
  const jobs::Subject& subject = parsed.subject();
  REQUIRE(subject.replicas.size() == 2);
  CHECK(subject.replicas[0].type == "MASTER");
  CHECK(subject.replicas[0].known != nullptr);
  CHECK(subject.replicas[0].effective_policy == "OnFailure");
  CHECK(subject.replicas[1].effective_policy == "");
  CHECK(subject.policy_path(subject.replicas[1]) ==
        "spec.replicaSpecs[1].template.spec.restartPolicy");
}

TEST_CASE("replica specs of another kind do not count", "[jobs][subject]") {
  const ParsedJob parsed(tfjob(replica("Worker", R"("Never")")), "PyTorchJob");
  CHECK(parsed.subject().specs == jobs::Shape::absent);
  CHECK(parsed.subject().replicas.empty());
}
