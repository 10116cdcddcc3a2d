// `lint`, run as a user runs it.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/manifest.h"
#include "tests/support/process.h"

namespace fs = std::filesystem;
using support::Finished;
using support::run_program;
using support::TemporaryDirectory;

namespace {

constexpr std::string_view kSound = R"(apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: sound}
spec:
  tfReplicaSpecs:
    Worker:
      restartPolicy: OnFailure
      template: {spec: {containers: [{name: tensorflow, image: i}]}}
)";

std::string with_policy(const std::string& policy) {
  std::string text(kSound);
  return text.replace(text.find("OnFailure"), 9, policy);
}

/// `lint` in JSON of what stands in `folder`; every "file" without the folder.
nlohmann::json findings_in(const TemporaryDirectory& folder) {
  const Finished finished = run_program({"lint", "--output", "json", folder.path().string()});
  auto findings = nlohmann::json::parse(finished.out);
  for (auto& finding : findings) {
    finding["file"] = fs::path(finding["file"].get<std::string>()).filename().string();
  }
  return findings;
}

}  // namespace

TEST_CASE("lint ends with what it found", "[cli][lint]") {
  const TemporaryDirectory folder;
  const std::string sound = folder.write("sound.yaml", kSound).string();
  const std::string denied = folder.write("denied.yaml", with_policy("Sometimes")).string();
  const std::string broken = folder.write("broken.yaml", "a: [\n").string();
  const std::string odd =
      folder.write("odd.yaml", "apiVersion: kubeflow.org/v0\nkind: TFJob\n").string();

  CHECK(run_program({"lint", sound}).status == 0);
  CHECK(run_program({"lint", odd}).status == 0);
  CHECK(run_program({"lint", sound, denied}).status == 1);
  CHECK(run_program({"lint", broken}).status == 3);
  CHECK(run_program({"lint", folder.path().string()}).status == 3);
  CHECK(run_program({"lint", sound, "/nowhere"}).status == 3);
  CHECK(run_program({"lint", "--config", "/nowhere", sound}).status == 3);
  CHECK(run_program({"lint"}).status == 2);
  CHECK(run_program({"lint", "--output", "xml", sound}).status == 2);
}

TEST_CASE("lint tells findings on standard output and a summary on standard error", "[cli][lint]") {
  const Finished sound = run_program({"lint", "-"}, std::string(kSound));
  CHECK(sound.status == 0);
  CHECK(sound.out.empty());
  CHECK(sound.err == "nothing found in 1 job of 1 file\n");

  const Finished denied = run_program({"lint", "-"}, with_policy("Sometimes"));
  CHECK(denied.out ==
        "<stdin>:7:22: error: spec.tfReplicaSpecs[Worker].restartPolicy: \"Sometimes\" is no "
        "restart policy: use one of Always, OnFailure, Never, ExitCode [invalid-restart-policy]\n"
        "    7 |       restartPolicy: Sometimes\n"
        "      |                      ^~~~~~~~~\n"
        "      = help: docs/rules.md#invalid-restart-policy\n");
  CHECK(denied.err == "1 error in 1 job of 1 file\n");

  const Finished both =
      run_program({"lint", "-", "/nowhere"},
                  with_policy("Sometimes") +
                      "---\napiVersion: kubeflow.org/v0\nkind: TFJob\n---\n" + std::string(kSound));
  CHECK(
      both.out.starts_with("/nowhere: error: there is no such file or folder [unreadable-file]\n"));
  CHECK(both.err == "2 errors, 1 warning in 3 jobs of 2 files; 1 file cannot be read as meant\n");
}

TEST_CASE("lint writes JSON, SARIF and workflow commands", "[cli][lint]") {
  const std::string text = with_policy("Sometimes");
  const Finished array = run_program({"lint", "-", "--output", "json"}, text);
  CHECK(array.err.empty());
  CHECK(nlohmann::json::parse(array.out) == nlohmann::json::parse(R"([{
    "file": "<stdin>", "line": 7, "column": 22, "rule": "invalid-restart-policy",
    "severity": "error", "field": "spec.tfReplicaSpecs[Worker].restartPolicy",
    "message": "\"Sometimes\" is no restart policy: use one of Always, OnFailure, Never, ExitCode"
  }])"));
  const Finished sarif = run_program({"lint", "-", "--output=sarif"}, text);
  const auto run = nlohmann::json::parse(sarif.out)["runs"][0];
  CHECK(run["results"][0]["ruleId"] == "invalid-restart-policy");
  CHECK(run["invocations"][0]["executionSuccessful"] == true);
  const Finished github = run_program({"lint", "-", "--output", "github"}, text);
  CHECK(
      github.out.starts_with("::error file=<stdin>,line=7,col=22,title=invalid-restart-policy::"));
  CHECK(github.status == 1);
}

TEST_CASE(
    "lint compares with the operator of the command line, else the configuration's, else the "
    "newest",
    "[cli][lint]") {
  const TemporaryDirectory folder;
  const std::string configuration =
      folder
          .write("config.yaml",
                 "apiVersion: exit-codes.kubeflow.org/v1alpha1\nkind: WebhookConfiguration\n"
                 "operator: training-operator/1.5\n")
          .string();
  const std::string text = with_policy("ExitCode");
  const auto compared = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"lint", "--output", "json", "-"});
    const auto findings = nlohmann::json::parse(run_program(arguments, text).out);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0]["rule"] == "operator-disagrees");
    const std::string message = findings[0]["message"];
    return message.substr(0, message.find(' '));
  };
  CHECK(compared({}) == "training-operator/1.9");
  CHECK(compared({"--config", configuration}) == "training-operator/1.5");
  CHECK(compared({"--config", configuration, "--operator", "training-operator/v1.8.1"}) ==
        "training-operator/1.8");

  const Finished unknown = run_program({"lint", "--operator", "tf-operator/9", "-"}, text);
  CHECK(unknown.status == 2);
  CHECK(unknown.err.find("--operator: 'tf-operator/9' is not known: did you mean ") !=
        std::string::npos);
}

TEST_CASE("lint knows the configuration's profiles", "[cli][lint]") {
  const TemporaryDirectory folder;
  const std::string configuration =
      folder
          .write("config.yaml",
                 "apiVersion: exit-codes.kubeflow.org/v1alpha1\nkind: WebhookConfiguration\n"
                 "profiles: {my-cloud: {extends: signals}}\n")
          .string();
  std::string text(kSound);
  text.replace(text.find("{name: sound}"), 13,
               "{annotations: {exit-codes.kubeflow.org/profile: my-cloud}}");
  CHECK(run_program({"lint", "-"}, text).status == 1);
  CHECK(run_program({"lint", "--config", configuration, "-"}, text).status == 0);
}

TEST_CASE("of bad input lint tells file and line, and does the other files", "[cli][lint]") {
  const TemporaryDirectory folder;
  folder.write("a-binary.yaml", std::string("\x7F"
                                            "ELF\0\0\0",
                                            7));
  folder.write("b-tab.yaml", "a: b\nc:\n\td: e\n");
  folder.write("c-twice.yaml", "a: b\nc: d\na: e\n");
  folder.write("d-self.yaml", "a: &a\n- *a\n");
  folder.write("e-laughs.yaml", [] {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; ++i) {
      const std::string previous = "*a" + std::to_string(i - 1);
      text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + previous;
      for (int k = 1; k < 10; ++k) text.append(", ").append(previous);
      text += "]\n";
    }
    return text;
  }());
  folder.write("f-deep.json", std::string(100'000, '['));
  folder.write("g-template.yaml", "kind: TFJob\nmetadata:\n  name: {{ .Values.name }}\n");
  std::string large;
  large.resize(10'000'000, 'x');
  folder.write("h-large.yaml", "# " + large + "\n" + with_policy("Sometimes"));
  fs::create_symlink("nowhere", folder.path() / "i-dangling.yaml");
  fs::create_symlink("j-self.yaml", folder.path() / "j-self.yaml");
  folder.write("k-utf16.yaml", std::string("\xFF\xFE"
                                           "a\0",
                                           4));
  folder.write("z-denied.yaml", with_policy("Sometimes"));

  struct Case {
    std::string file;
    int line;
    int column;
    std::string rule;
    std::string message;
  };
  // Those that cannot even be opened come first.
  const std::vector<Case> expected{
      {"i-dangling.yaml", 1, 1, "unreadable-file", "leads nowhere"},
      {"j-self.yaml", 1, 1, "unreadable-file", "loop of symbolic links"},
      {"a-binary.yaml", 1, 5, "invalid-yaml", "binary data"},
      {"b-tab.yaml", 3, 1, "invalid-yaml", "a tab cannot indent: use spaces"},
      {"c-twice.yaml", 3, 1, "duplicate-key", "readers disagree"},
      {"d-self.yaml", 2, 3, "invalid-yaml", "contains itself"},
      {"e-laughs.yaml", 6, 20, "invalid-yaml", "write fewer of them"},
      {"f-deep.json", 1, 201, "invalid-yaml", "nested deeper than 200 levels"},
      {"g-template.yaml", 3, 9, "unrendered-template", "helm template"},
      {"h-large.yaml", 8, 22, "invalid-restart-policy", "Sometimes"},
      {"k-utf16.yaml", 1, 1, "invalid-yaml", "UTF-16"},
      {"z-denied.yaml", 7, 22, "invalid-restart-policy", "Sometimes"},
  };
  const auto begin = std::chrono::steady_clock::now();
  const auto findings = findings_in(folder);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  REQUIRE(findings.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(findings[i].dump());
    CHECK(findings[i]["file"] == expected[i].file);
    CHECK(findings[i]["line"] == expected[i].line);
    CHECK(findings[i]["column"] == expected[i].column);
    CHECK(findings[i]["rule"] == expected[i].rule);
    CHECK(findings[i]["severity"] == "error");
    CHECK(findings[i]["message"].get<std::string>().find(expected[i].message) != std::string::npos);
  }
}

TEST_CASE("lint is silent on valid test manifests and tells the rules of the others",
          "[cli][lint]") {
  for (const std::string group : {"valid", "warned", "invalid"}) {
    for (const support::Manifest& manifest : support::test_manifests(group)) {
      INFO(group << "/" << manifest.name);
      const Finished finished =
          run_program({"lint", "--output", "json", "-"}, manifest.object.dump());
      CHECK(finished.status == (group == "invalid" ? 1 : 0));
      std::vector<std::string> rules;
      for (const auto& finding : nlohmann::json::parse(finished.out)) {
        rules.push_back(finding["rule"]);
      }
      for (const std::string& rule : manifest.rules) {
        CHECK(std::ranges::find(rules, rule) != rules.end());
      }
      // Many of them are right, and an operator that does otherwise is told all the same.
      std::erase(rules, "operator-disagrees");
      if (group == "valid") CHECK(rules.empty());
    }
  }
}
