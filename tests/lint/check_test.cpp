// What planted_test.cpp does not tell: messages, fields, settings.

#include "lint/check.h"

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "exit_codes/profile.h"
#include "lint/rules.h"
#include "tests/support/catch.h"
#include "tests/support/manifest.h"

namespace {

using Lines = std::vector<std::string>;

/// Each finding as "LINE:COLUMN SEVERITY RULE FIELD: MESSAGE".
Lines check(std::string_view text, const admission::Settings& settings = {}) {
  Lines lines;
  for (const lint::Finding& finding : lint::check(text, settings).findings) {
    lines.push_back(std::to_string(finding.at->mark.line) + ":" +
                    std::to_string(finding.at->mark.column) + " " +
                    std::string(to_string(finding.severity)) + " " + std::string(finding.rule) +
                    " " + finding.field + ": " + finding.message);
  }
  return lines;
}

/// A sound TFJob with `metadata` given in flow style.
std::string job(const std::string& metadata) {
  return "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: " + metadata +
         "\nspec: {tfReplicaSpecs: {Worker: {restartPolicy: OnFailure, template: {spec: "
         "{containers: [{name: tensorflow}]}}}}}\n";
}

}  // namespace

TEST_CASE("a sound job has no findings", "[lint][check]") {
  const lint::Report report = lint::check(job("{name: a}"), {});
  CHECK(report.findings.empty());
  CHECK(report.jobs == 1);
  CHECK_FALSE(report.unreadable);
}

TEST_CASE("findings of a file say what to do", "[lint][check]") {
  CHECK(check(job("{annotations: {a: 1}}")) ==
        Lines{"3:29 error annotation-not-string metadata.annotations[a]: must be a string, not a "
              "number: write \"1\" in quotes, or kubectl refuses the job (older ones drop all its "
              "annotations in silence)"});
  CHECK(check(job("{annotations: {a: ~}}")) ==
        Lines{"3:29 warning annotation-not-string metadata.annotations[a]: must be a string, not "
              "null: write \"\" or remove it, for some clients take it and others refuse it"});
  CHECK(check(job("{annotations: {a: [b]}}")) ==
        Lines{"3:29 error annotation-not-string metadata.annotations[a]: must be a string, not a "
              "list: write it as one string, or kubectl refuses the job (older ones drop all its "
              "annotations in silence)"});
  CHECK(check(job("{annotations: {exit-codes.kubeflow.org/table: '{}'}}")) ==
        Lines{"3:57 warning table-in-source "
              "metadata.annotations[exit-codes.kubeflow.org/table]: is the webhook's to write, "
              "which replaces what a manifest has: remove it, and say what differs by profile, "
              "retryable, permanent or max-retries"});
  CHECK(check("kind: MPIJob\napiVersion: kubeflow.org/v3\n") ==
        Lines{"2:13 warning unchecked-version apiVersion: MPIJob of \"kubeflow.org/v3\" is not "
              "checked: the versions that are checked are v1, v2beta1"});
}

TEST_CASE("one of our annotations that is no string has one finding", "[lint][check]") {
  CHECK(check(job("{annotations: {exit-codes.kubeflow.org/retryable: 42}}")).size() == 1);
  CHECK(check(job("{annotations: {exit-codes.kubeflow.org/retryable: '42'}}")).empty());
  // The API server makes an empty string of null, which is no list.
  const Lines null = check(job("{annotations: {exit-codes.kubeflow.org/retryable: ~}}"));
  REQUIRE(null.size() == 1);
  CHECK(null[0].starts_with("3:61 error invalid-exit-codes"));
}

TEST_CASE("fields of a job within another object begin with its path", "[lint][check]") {
  const Lines lines = check(
      "kind: Experiment\nspec:\n  trialSpec:\n    apiVersion: kubeflow.org/v1\n    kind: TFJob\n"
      "    metadata: {}\n");
  CHECK(lines == Lines{"3:3 error malformed-job spec.trialSpec.spec: is missing: TFJob needs "
                       "spec.tfReplicaSpecs with at least one replica"});
}

TEST_CASE("profiles and namespaces are the configuration's", "[lint][check]") {
  exit_codes::ProfileDefinition my_cloud;
  my_cloud.name = "my-cloud";
  my_cloud.extends = "signals";
  admission::Settings settings;
  settings.profiles =
      std::get<exit_codes::Profiles>(exit_codes::Profiles::make(std::vector{std::move(my_cloud)}));
  settings.enforcement = admission::Enforcement::audit;
  settings.namespaces = {
      {.match = {"research"}, .profile = "my-cloud", .enforcement = admission::Enforcement::warn}};
  const std::string named = job("{annotations: {exit-codes.kubeflow.org/profile: my-cloud}}");
  CHECK(check(named).size() == 1);
  CHECK(check(named, settings).empty());

  // my-cloud makes undefined codes retryable, so retries are unbounded under ExitCode.
  const auto exit_code = [](const std::string& metadata) {
    std::string text = job(metadata);
    return text.replace(text.find("OnFailure"), 9, "ExitCode");
  };
  const auto rules = [&](const std::string& metadata) {
    std::vector<std::string_view> found;
    for (const auto& finding : lint::check(exit_code(metadata), settings).findings) {
      if (finding.rule == "unbounded-retries") found.push_back(finding.rule);
    }
    return found.size();
  };
  CHECK(rules("{namespace: research}") == 1);
  CHECK(rules("{namespace: other}") == 0);
  CHECK(rules("{}") == 0);

  // What is enforced where does not change what is wrong.
  std::string denied = job("{namespace: research}");
  denied.replace(denied.find("OnFailure"), 9, "Sometimes");
  CHECK(lint::check(denied, settings).findings.at(0).severity == lint::Severity::error);
}

TEST_CASE("findings of one job are bounded, and so is its size", "[lint][check]") {
  std::string many = "{annotations: {";
  for (int i = 0; i < 300; ++i) many += "k" + std::to_string(i) + ": 1, ";
  const Lines lines = check(job(many + "}}"));
  REQUIRE(lines.size() == 200);
  CHECK(lines.back().ends_with(" (and 100 more findings in this job, which are not told)"));

  CHECK(check(job("{labels: {a: \"" + std::string(3 << 20, 'x') + "\"}, annotations: {a: 1}}")) ==
        Lines{"1:1 error job-too-large object: is larger than the 3 MiB that the API server takes, "
              "and is not checked"});
}

TEST_CASE("every finding's rule is one of those that are described", "[lint][rules]") {
  for (const lint::Rule& rule : lint::rules()) {
    INFO(rule.id);
    CHECK(&lint::rules()[lint::rule_index(rule.id)] == &rule);
    CHECK(rule.summary.ends_with('.'));
    CHECK(lint::help_of(rule.id) == "docs/rules.md#" + std::string(rule.id));
  }
}

TEST_CASE("docs/rules.md explains every rule, and no other", "[lint][rules]") {
  std::vector<std::string> expected;
  for (const lint::Rule& rule : lint::rules()) expected.emplace_back(rule.id);
  // Only an update can break these.
  expected.insert(expected.end(), {"table-edited", "table-left-out"});
  std::vector<std::string> headings;
  std::istringstream page(support::read_file(PROJECT_DIR "/docs/rules.md"));
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) headings.push_back(line.substr(3));
  }
  CHECK(headings == expected);
}

TEST_CASE("a file that cannot be read has one finding without a place", "[lint][check]") {
  const lint::Report report = lint::unreadable("permission denied");
  REQUIRE(report.findings.size() == 1);
  CHECK(report.unreadable);
  CHECK_FALSE(report.findings[0].at);
  CHECK(report.findings[0].rule == "unreadable-file");
}
