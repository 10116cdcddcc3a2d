#include <string>
#include <vector>

#include "jobs/rules/rules.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"

using jobs::rules::template_restart_policy_ignored;
using support::findings_of;
using support::lines;
using support::replica;
using support::tfjob;
using Lines = std::vector<std::string>;

namespace {

std::string job_with_policies(const std::string& policy, const std::string& template_policy) {
  return tfjob(R"("Worker":{)" + (policy.empty() ? "" : R"("restartPolicy":")" + policy + "\",") +
               R"("template":{"spec":{"restartPolicy":)" + template_policy + "}}}");
}

}  // namespace

TEST_CASE("a template without a policy passes", "[jobs][rules]") {
  CHECK(
      findings_of(template_restart_policy_ignored, tfjob(replica("Worker", R"("Never")"))).empty());
  CHECK(findings_of(template_restart_policy_ignored, job_with_policies("Never", R"("")")).empty());
  CHECK(findings_of(template_restart_policy_ignored, job_with_policies("Never", "null")).empty());
}

TEST_CASE("the default that holds instead is named", "[jobs][rules]") {
  const auto findings =
      findings_of(template_restart_policy_ignored, job_with_policies("", R"("OnFailure")"));
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().rule == "template-restart-policy-ignored");
  CHECK(findings.front().severity == jobs::Severity::warned);
  CHECK(
      lines(findings) ==
      Lines{"spec.tfReplicaSpecs[Worker].template.spec.restartPolicy: is ignored: Never holds (the "
            "default); set the replica's restartPolicy"});
}

TEST_CASE("the replica's policy that holds instead is named", "[jobs][rules]") {
  CHECK(
      lines(findings_of(template_restart_policy_ignored,
                        job_with_policies("ExitCode", R"("OnFailure")"))) ==
      Lines{"spec.tfReplicaSpecs[Worker].template.spec.restartPolicy: is ignored: ExitCode holds, "
            "the replica's restartPolicy; remove this one"});
}

TEST_CASE("beside an invalid policy none is named", "[jobs][rules]") {
  CHECK(lines(findings_of(template_restart_policy_ignored,
                          job_with_policies("Nope", R"("Always")"))) ==
        Lines{"spec.tfReplicaSpecs[Worker].template.spec.restartPolicy: is ignored"});
}

TEST_CASE("in v1alpha1 the template's policy is the policy", "[jobs][rules]") {
  CHECK(findings_of(
            template_restart_policy_ignored,
            R"({"spec":{"replicaSpecs":[{"template":{"spec":{"restartPolicy":"OnFailure"}}}]}})",
            "TFJob", "v1alpha1")
            .empty());
}
