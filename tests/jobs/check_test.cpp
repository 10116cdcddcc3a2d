#include "jobs/check.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/job.h"
#include "tests/support/manifest.h"

namespace {

std::vector<std::string> rules_of(const jobs::Findings& findings) {
  std::vector<std::string> rules;
  for (const jobs::Finding& finding : findings) rules.emplace_back(finding.rule);
  std::ranges::sort(rules);
  const auto [first, last] = std::ranges::unique(rules);
  rules.erase(first, last);
  return rules;
}

/// Checks every manifest of a group against the rules that the file itself names.
void check_group(const std::string& group, jobs::Severity worst) {
  for (const support::Manifest& manifest : support::test_manifests(group)) {
    INFO(group << "/" << manifest.name);
    const auto api_version = manifest.object["apiVersion"].get<std::string>();
    const support::ParsedJob parsed(manifest.object.dump(),
                                    manifest.object["kind"].get<std::string>(),
                                    api_version.substr(api_version.find('/') + 1));
    const jobs::Findings findings = jobs::check(parsed.subject());
    auto expected = manifest.rules;
    std::ranges::sort(expected);
    CHECK(rules_of(findings) == expected);
    CHECK(std::ranges::any_of(findings, [](const jobs::Finding& finding) {
            return finding.severity == jobs::Severity::denied;
          }) == (worst == jobs::Severity::denied));
  }
}

}  // namespace

TEST_CASE("invalid manifests break the rules that they name", "[jobs][check]") {
  check_group("invalid", jobs::Severity::denied);
}

TEST_CASE("manifests that only warn break the rules that they name", "[jobs][check]") {
  check_group("warned", jobs::Severity::warned);
}

TEST_CASE("valid manifests break no rule", "[jobs][check]") {
  for (const support::Manifest& manifest : support::test_manifests("valid")) {
    INFO(manifest.name);
    CHECK(manifest.rules.empty());
  }
  check_group("valid", jobs::Severity::warned);
}

TEST_CASE("findings of all rules are reported together, denials first", "[jobs][check]") {
  const support::ParsedJob parsed(support::tfjob(
      support::replica("Sidekick", R"("Sometimes")") + "," + support::replica("PS", R"("never")"),
      R"("backoffLimit":0)", R"("annotations":{"exit-codes.kubeflow.org/retriable":"1"})"));
  CHECK(support::lines(jobs::check(parsed.subject())) ==
        std::vector<std::string>{
            "spec.tfReplicaSpecs[Sidekick].restartPolicy: \"Sometimes\" is no restart policy: use "
            "one of Always, OnFailure, Never, ExitCode",
            "spec.tfReplicaSpecs[PS].restartPolicy: \"never\" is no restart policy: did you mean "
            "Never? Or use one of Always, OnFailure, Never, ExitCode",
            "spec.tfReplicaSpecs[Sidekick]: \"Sidekick\" is no replica type of TFJob: use Chief, "
            "Master, PS, Worker, Evaluator",
            "metadata.annotations[exit-codes.kubeflow.org/retriable]: does nothing: did you mean "
            "retryable?"});
}

TEST_CASE("something that is no object is malformed", "[jobs][check]") {
  const jobs::Finding finding = jobs::not_an_object(jobs::Shape::string, "TFJob");
  CHECK(finding.rule == "malformed-job");
  CHECK(finding.severity == jobs::Severity::denied);
  CHECK(finding.field == "object");
  CHECK(finding.message == "must be an object of kind TFJob, not a string");
}
