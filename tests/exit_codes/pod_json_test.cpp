#include "exit_codes/pod_json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "tests/support/catch.h"

using exit_codes::decode_pod;
using exit_codes::DecodeError;
using exit_codes::Pod;

namespace {

std::string error_of(std::string_view text) {
  const auto decoded = decode_pod(text);
  const auto* const error = std::get_if<DecodeError>(&decoded);
  return error != nullptr ? error->message : "fine";
}

exit_codes::Table table_of(std::string profile) {
  exit_codes::Table table;
  table.profile = std::move(profile);
  return table;
}

}  // namespace

TEST_CASE("a pod is read as Kubernetes writes it", "[exit_codes][pod_json]") {
  const auto decoded = decode_pod(R"({
    "kind": "Pod", "metadata": {"deletionTimestamp": "2026-12-01T08:00:30Z",
                                "deletionGracePeriodSeconds": 30, "labels": {"a": "b"}},
    "spec": {"initContainers": [{"name": "proxy", "restartPolicy": "Always"}, {"name": "first"}],
             "containers": [{"name": "a"}, {"name": "tensorflow"}]},
    "status": {"phase": "Failed", "reason": "Evicted",
      "conditions": [{"type": "Ready", "status": "True"},
                     {"type": "DisruptionTarget", "status": "True"}],
      "initContainerStatuses": [{"name": "first", "state": {"running": {}}}],
      "containerStatuses": [
        {"name": "tensorflow", "lastState": {"terminated": {"exitCode": 5}},
         "state": {"terminated": {"exitCode": -1, "reason": "Error",
                                  "finishedAt": "1970-01-02T00:00:01Z"}}},
        {"name": "ephemeral", "state": {"terminated": {"exitCode": 3}}}]}})");
  REQUIRE(std::holds_alternative<Pod>(decoded));
  const Pod& pod = std::get<Pod>(decoded);
  CHECK_FALSE(pod.succeeded);
  CHECK(pod.reason == "Evicted");
  CHECK(pod.disruption_target);
  CHECK(pod.deletion_timestamp == 1'796'112'030);
  CHECK(pod.deletion_grace_period == 30);
  REQUIRE(pod.init_containers.size() == 2);
  CHECK(pod.init_containers[0].restartable);
  CHECK_FALSE(pod.init_containers[1].restartable);
  CHECK_FALSE(pod.init_containers[1].terminated);
  REQUIRE(pod.containers.size() == 3);
  CHECK_FALSE(pod.containers[0].terminated);
  REQUIRE(pod.containers[1].terminated);
  CHECK(pod.containers[1].terminated->exit_code == -1);
  CHECK(pod.containers[1].terminated->reason == "Error");
  CHECK(pod.containers[1].terminated->finished_at == 86'401);
  CHECK(pod.containers[2].name == "ephemeral");
}

TEST_CASE("what is no pod is told with its field", "[exit_codes][pod_json]") {
  CHECK(error_of("") == "the pod is no JSON");
  CHECK(error_of("[]") == "the pod is no JSON object");
  CHECK(error_of("{}") == "fine");
  CHECK(error_of(R"({"status":5})") == "status must be an object");
  CHECK(error_of(R"({"status":{"phase":5}})") == "status.phase must be a string");
  CHECK(error_of(R"({"status":{"conditions":{}}})") == "status.conditions must be a list");
  CHECK(error_of(R"({"status":{"conditions":[1]}})") ==
        "status.conditions must be a list of objects");
  CHECK(
      error_of(R"({"status":{"containerStatuses":[{"state":{"terminated":{"exitCode":1.5}}}]}})") ==
      "status.containerStatuses[].state.terminated.exitCode must be an integer of 64 bits");
  CHECK(error_of(R"({"metadata":{"deletionTimestamp":"yesterday"}})") ==
        "metadata.deletionTimestamp must be a time such as 2026-12-01T08:00:00Z");
  CHECK(error_of(R"({"metadata":{"deletionTimestamp":"2026-02-30T00:00:00Z"}})") ==
        "metadata.deletionTimestamp must be a time such as 2026-12-01T08:00:00Z");
  CHECK(error_of(std::string(100'000, '[')) == "the pod is nested too deeply");
}

TEST_CASE("times are those of RFC 3339", "[exit_codes][pod_json]") {
  const auto deleted = [](const std::string& time) -> std::optional<std::int64_t> {
    const auto decoded = decode_pod(R"({"metadata":{"deletionTimestamp":")" + time + "\"}}");
    const auto* const pod = std::get_if<Pod>(&decoded);
    return pod != nullptr ? pod->deletion_timestamp : std::nullopt;
  };
  constexpr std::int64_t kTime = 1'796'112'030;
  for (const char* same :
       {"2026-12-01T08:00:30Z", "2026-12-01t08:00:30z", "2026-12-01T08:00:30.999Z",
        "2026-12-01T09:30:30+01:30", "2026-11-30T20:00:30-12:00", "2026-12-01T08:00:30+00:00"}) {
    INFO(same);
    CHECK(deleted(same) == kTime);
  }
  for (const char* wrong :
       {"", "2026-12-01", "2026-12-01T08:00:30", "2026-12-01 08:00:30Z", "2026-13-01T08:00:30Z",
        "2026-12-01T24:00:30Z", "2026-12-01T08:60:30Z", "2026-12-01T08:00:61Z",
        "2026-12-01T08:00:30.Z", "2026-12-01T08:00:30+1:00", "2026-12-01T08:00:30+01:00x",
        "26-12-01T08:00:30Z", "2026-12-01T08:00:30ZZ"}) {
    INFO(wrong);
    CHECK(deleted(wrong) == std::nullopt);
  }
  CHECK(error_of(R"({"metadata":{"deletionGracePeriodSeconds":18446744073709551615}})") ==
        "metadata.deletionGracePeriodSeconds must be an integer of 64 bits");
}

TEST_CASE("the pod's table goes before its job's", "[exit_codes][pod_json]") {
  const std::string own = exit_codes::encode(table_of("own"));
  const std::string job = exit_codes::encode(table_of("job"));
  const auto profile = [](const std::variant<exit_codes::Table, DecodeError>& read) {
    const auto* const table = std::get_if<exit_codes::Table>(&read);
    return table != nullptr ? table->profile : std::get<DecodeError>(read).message;
  };
  CHECK(profile(exit_codes::read_table(own, job)) == "own");
  CHECK(profile(exit_codes::read_table("", job)) == "job");
  CHECK(profile(exit_codes::read_table("{", job)) == "job");
  CHECK(profile(exit_codes::read_table("", "")) == "neither the pod nor its job has a table");
}
