// `explain`, run as a user runs it.

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

using support::Finished;
using support::run_program;

namespace {

const std::string kJob = R"(kind: ConfigMap
---
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: mnist, namespace: team}
spec:
  tfReplicaSpecs:
    Worker:
      restartPolicy: ExitCode
      template: {spec: {containers: [{name: tensorflow}]}}
)";

}  // namespace

TEST_CASE("explain tells of each job in a file", "[cli][explain]") {
  const Finished finished = run_program({"explain", "-"}, kJob);
  CHECK(finished.status == 0);
  CHECK(finished.err.empty());
  CHECK(finished.out.starts_with(
      "<stdin>:3: TFJob team/mnist, training-operator/1.9\n\nWorker: ExitCode, table kubeflow\n"));
  const Finished old = run_program({"explain", "--operator", "tf-operator/1.4", "-"}, kJob);
  CHECK(
      old.out.find("\n  128, 139                         permanent             fails the job\n") ==
      std::string::npos);
  CHECK(old.out.find("  1, 2, 126-128, 139               permanent             fails the job\n") !=
        std::string::npos);
}

TEST_CASE("explain in JSON names file and line", "[cli][explain]") {
  const auto all = nlohmann::json::parse(
      run_program({"explain", "--output", "json", "-"}, kJob + "---\n" + kJob).out);
  REQUIRE(all.size() == 2);
  CHECK(all[0]["file"] == "<stdin>");
  CHECK(all[1]["line"] == 14);
  CHECK(all[1]["name"] == "mnist");
  CHECK(all[1]["namespace"] == "team");
  CHECK(all[1]["denied"] == false);
  CHECK(all[1]["replicas"][0]["type"] == "Worker");
}

TEST_CASE("explain ends with what it met", "[cli][explain]") {
  std::string denied = kJob;
  denied.replace(denied.find("ExitCode"), 8, "Sometimes");
  const Finished finished = run_program({"explain", "-"}, denied);
  CHECK(finished.status == 1);
  CHECK(finished.err ==
        "tfjob-webhook: <stdin>:3: TFJob team/mnist: would be denied: 'tfjob-webhook lint' tells "
        "why\n");
  const Finished broken = run_program({"explain", "-"}, kJob + "---\na: [\n");
  CHECK(broken.status == 3);
  CHECK(broken.out.find("TFJob team/mnist") != std::string::npos);
  CHECK(run_program({"explain", "/nowhere"}).err ==
        "tfjob-webhook: /nowhere: there is no such file or folder\n");
  CHECK(run_program({"explain", "/nowhere"}).status == 3);
  CHECK(run_program({"explain", "-"}, "a: b\n").status == 3);
  CHECK(run_program({"explain", "-"}, "a: b\n").err ==
        "tfjob-webhook: <stdin>: has no job of a kind that is checked\n");
  CHECK(run_program({"explain"}).status == 2);
  CHECK(run_program({"explain", "--operator", "x", "-"}, kJob).status == 2);
}
