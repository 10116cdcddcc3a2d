// `classify -`: pods as kubectl prints them.

#include <string>

#include <nlohmann/json.hpp>

#include "exit_codes/annotation.h"
#include "exit_codes/profile.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"

using nlohmann::json;
using support::Finished;
using support::run_program;

namespace {

/// A failed worker whose tensorflow container ended with `code`, behind a sidecar that did so with
/// 0; it carries the default table.
json pod(int code, const std::string& reason = "Error") {
  json object = json::parse(R"({
    "apiVersion": "v1", "kind": "Pod",
    "metadata": {"name": "mnist-worker-0", "namespace": "team",
                 "ownerReferences": [{"kind": "TFJob", "name": "mnist", "controller": true}]},
    "spec": {"containers": [{"name": "istio-proxy"}, {"name": "tensorflow"}]},
    "status": {"phase": "Failed", "containerStatuses": [
      {"name": "istio-proxy", "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}},
      {"name": "tensorflow", "state": {"terminated": {}}}]}})");
  object["metadata"]["annotations"][exit_codes::kTableAnnotation] =
      exit_codes::encode(*exit_codes::Profiles().find("kubeflow"));
  object["status"]["containerStatuses"][1]["state"]["terminated"] = {{"exitCode", code},
                                                                     {"reason", reason}};
  return object;
}

Finished classify(const std::string& text, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"classify", "-"});
  return run_program(arguments, text);
}

}  // namespace

TEST_CASE("a pod is judged by its own table and its job's own container", "[cli][classify]") {
  const Finished finished = classify(pod(139).dump());
  CHECK(finished.status == 0);
  CHECK(finished.err.empty());
  CHECK(finished.out ==
        "team/mnist-worker-0: permanent\n"
        "139 (SIGSEGV, signal 11) is permanent: profile kubeflow lists it\n");
  CHECK(classify(pod(137, "OOMKilled").dump()).out ==
        "team/mnist-worker-0: permanent\n"
        "OOMKilled with 137 is permanent: profile kubeflow lists that reason\n");
  CHECK(classify(pod(42).dump(2))
            .out.starts_with("team/mnist-worker-0: undefined, handled as permanent\n"));
  CHECK(classify(pod(143).dump(), {"--container", "istio-proxy"})
            .out.starts_with("team/mnist-worker-0: undefined, handled as permanent\n"));
}

TEST_CASE("the pod's table goes before any profile, which judges pods without one",
          "[cli][classify]") {
  json object = pod(139);
  CHECK(classify(object.dump(), {"--profile", "signals"})
            .out.starts_with("team/mnist-worker-0: permanent\n"));
  object["metadata"]["annotations"][exit_codes::kTableAnnotation] = R"({"version":2})";
  const std::string out = classify(object.dump(), {"--profile", "signals"}).out;
  CHECK(out.starts_with("team/mnist-worker-0: retryable\n"));
  CHECK(out.find("\nthe pod carries no table that can be read (") != std::string::npos);
  object["metadata"].erase("annotations");
  CHECK(classify(object.dump(), {"--profile", "signals"})
            .out.ends_with("\nthe pod carries no table that can be read: judged by profile "
                           "signals\n"));
}

TEST_CASE("retries are counted against the table's limit", "[cli][classify]") {
  json object = pod(143);
  auto table = *exit_codes::Profiles().find("kubeflow");
  table.max_retries = 3;
  object["metadata"]["annotations"][exit_codes::kTableAnnotation] = exit_codes::encode(table);
  CHECK(classify(object.dump(), {"--retries", "2"})
            .out.starts_with("team/mnist-worker-0: retryable\n"));
  CHECK(classify(object.dump(), {"--retries", "3"})
            .out.starts_with("team/mnist-worker-0: permanent\n"));
  CHECK(classify(object.dump(), {"--retries", "-1"}).status == 2);
}

TEST_CASE("each pod of a List is judged, and one that has not ended is told", "[cli][classify]") {
  json running = pod(0);
  running["metadata"]["name"] = "mnist-worker-1";
  running["status"]["phase"] = "Running";
  json succeeded = pod(0, "Completed");
  succeeded["status"]["phase"] = "Succeeded";
  const json list = {{"apiVersion", "v1"},
                     {"kind", "List"},
                     {"items", json::array({pod(143), running, succeeded})}};
  const Finished finished = classify(list.dump());
  CHECK(finished.status == 0);
  CHECK(finished.out.starts_with("team/mnist-worker-0: retryable\n"));
  CHECK(finished.out.find("\nteam/mnist-worker-1: has not ended: it is Running\n") !=
        std::string::npos);
  CHECK(finished.out.find("\nteam/mnist-worker-0: succeeded\n") != std::string::npos);
}

TEST_CASE("pods may be YAML", "[cli][classify]") {
  CHECK(classify("kind: Pod\nmetadata: {name: a}\nstatus: {phase: Pending}\n").out ==
        "a: has not ended: it is Pending\n");
}

TEST_CASE("what is no pod is an error that says so", "[cli][classify]") {
  const Finished empty = classify("");
  CHECK(empty.status == 3);
  CHECK(empty.err ==
        "tfjob-webhook: standard input is empty: give it what 'kubectl get pod POD -o json' "
        "prints\n");
  const Finished job = classify(R"({"kind": "TFJob"})");
  CHECK(job.status == 3);
  CHECK(job.err ==
        "tfjob-webhook: this is no Pod and no List of Pods, as 'kubectl get pod POD -o json' "
        "prints them\n");
  CHECK(classify("{").status == 3);
  CHECK(classify(std::string(100'000, '[')).status == 3);
  json wrong = pod(1);
  wrong["status"]["containerStatuses"] = "none";
  const Finished finished = classify(wrong.dump());
  CHECK(finished.status == 3);
  CHECK(finished.err.starts_with("tfjob-webhook: team/mnist-worker-0: "));
  CHECK(classify(pod(1).dump(), {"--profile", "kubeflw"}).status == 2);
}
