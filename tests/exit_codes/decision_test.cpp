#include "exit_codes/decision.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exit_codes/profile.h"
#include "tests/support/catch.h"

namespace exit_codes {
namespace {

const Table& kubeflow() { return built_in_profiles()[0]; }

Container container(std::string name, std::int64_t code, std::string reason = "Error") {
  Container made;
  made.name = std::move(name);
  made.terminated = Terminated{.exit_code = code, .reason = std::move(reason), .finished_at = 1000};
  return made;
}

Container unstarted(std::string name) {
  Container made;
  made.name = std::move(name);
  return made;
}

Pod pod_with(Container own) {
  Pod pod;
  pod.containers = {std::move(own)};
  return pod;
}

/// A pod whose job container never started because of `init`.
Pod pod_of_init(Container init) {
  Pod pod = pod_with(unstarted("tensorflow"));
  pod.init_containers = {std::move(init)};
  return pod;
}

Pod failed(std::int64_t code, std::string reason = "Error") {
  return pod_with(container("tensorflow", code, std::move(reason)));
}

void check(const Decision& decision, Cause cause, Verdict verdict, Verdict handled_as,
           const std::string& because) {
  CHECK(decision.because == because);
  CHECK(decision.cause == cause);
  CHECK(decision.verdict == verdict);
  CHECK(decision.handled_as == handled_as);
}

void check(const Decision& decision, Cause cause, Verdict verdict, const std::string& because) {
  check(decision, cause, verdict, verdict, because);
}

}  // namespace

TEST_CASE("a succeeded pod succeeded, whatever else it says", "[exit_codes][decision]") {
  Pod pod = failed(139);
  pod.succeeded = true;
  pod.disruption_target = true;
  const Decision decision = decide(kubeflow(), pod, "tensorflow");
  CHECK(decision.cause == Cause::succeeded);
  CHECK(decision.because == "the pod succeeded");
}

TEST_CASE("a listed code has its list's verdict", "[exit_codes][decision]") {
  check(decide(kubeflow(), failed(139), "tensorflow"), Cause::code, Verdict::permanent,
        "139 (SIGSEGV, signal 11) is permanent: profile kubeflow lists it");
  check(decide(kubeflow(), failed(143), "tensorflow"), Cause::code, Verdict::retryable,
        "143 (SIGTERM, signal 15) is retryable: profile kubeflow lists it");
}

TEST_CASE("every code in every built-in profile is decided by its list", "[exit_codes][decision]") {
  for (const Table& table : built_in_profiles()) {
    for (int code = 0; code <= 255; ++code) {
      CAPTURE(table.profile, code);
      const Decision decision = decide(table, failed(code), "tensorflow");
      CHECK(decision.cause == Cause::code);
      CHECK(decision.verdict == table.verdict_of(code));
      CHECK(decision.handled_as == table.handled_as(table.verdict_of(code)));
    }
  }
}

TEST_CASE("an unlisted code is undefined and handled as the table says", "[exit_codes][decision]") {
  check(decide(kubeflow(), failed(134), "tensorflow"), Cause::code, Verdict::undefined,
        Verdict::permanent,
        "134 (SIGABRT, signal 6) is undefined: profile kubeflow lists it on neither side and "
        "handles undefined codes as permanent");
  Table table = kubeflow();
  table.profile = "";
  table.undefined = Verdict::retryable;
  check(decide(table, failed(42), "tensorflow"), Cause::code, Verdict::undefined,
        Verdict::retryable,
        "42 is undefined: the table lists it on neither side and handles undefined codes as "
        "retryable");
}

TEST_CASE("codes beyond 255 are undefined", "[exit_codes][decision]") {
  check(decide(kubeflow(), failed(3221225477), "tensorflow"), Cause::code, Verdict::undefined,
        Verdict::permanent,
        "3221225477 is undefined: profile kubeflow lists it on neither side and handles undefined "
        "codes as permanent");
  for (const std::int64_t code : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1},
                                  std::numeric_limits<std::int64_t>::max()}) {
    CHECK(decide(kubeflow(), failed(code), "tensorflow").verdict == Verdict::undefined);
  }
}

TEST_CASE("0 in a failed pod is undefined", "[exit_codes][decision]") {
  Pod pod = failed(0, "Completed");
  pod.containers.push_back(container("sidecar", 137, "OOMKilled"));
  check(decide(kubeflow(), pod, "tensorflow"), Cause::code, Verdict::undefined, Verdict::permanent,
        "0 (success) is undefined: the pod failed although this container did not, and profile "
        "kubeflow handles undefined codes as permanent");
}

TEST_CASE("the job's own container is judged, not another", "[exit_codes][decision]") {
  Pod pod = pod_with(container("istio-proxy", 1));
  pod.containers.push_back(container("tensorflow", 143));
  CHECK(decide(kubeflow(), pod, "tensorflow").verdict == Verdict::retryable);
  CHECK(decide(kubeflow(), pod, "istio-proxy").verdict == Verdict::permanent);
  CHECK(decide(kubeflow(), pod, "").verdict == Verdict::permanent);
}

TEST_CASE("a disrupted pod is retryable whatever its code", "[exit_codes][decision]") {
  Pod pod = failed(139);
  pod.disruption_target = true;
  check(
      decide(kubeflow(), pod, "tensorflow"), Cause::disruption, Verdict::retryable,
      "the pod was disrupted (condition DisruptionTarget): profile kubeflow calls that retryable");
}

TEST_CASE("pod reasons of preemption and shutdown are disruptions", "[exit_codes][decision]") {
  for (const std::string reason : {"Preempting", "Terminated"}) {
    Pod pod = failed(1);
    pod.reason = reason;
    check(decide(kubeflow(), pod, "tensorflow"), Cause::disruption, Verdict::retryable,
          "the pod was disrupted (reason " + reason + "): profile kubeflow calls that retryable");
  }
  for (const std::string reason : {"Evicted", "preempting", "NodeLost", ""}) {
    CAPTURE(reason);
    Pod pod = failed(1);
    pod.reason = reason;
    CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::code);
  }
}

TEST_CASE("a container's reason is no pod reason", "[exit_codes][decision]") {
  CHECK(decide(kubeflow(), failed(1, "Preempting"), "tensorflow").cause == Cause::code);
}

TEST_CASE("a pod deleted before it ended was disrupted", "[exit_codes][decision]") {
  Pod pod = failed(1);
  pod.deletion_grace_period = 30;
  pod.deletion_timestamp = 1030;  // deleted at 1000, the second in which the container ended
  check(decide(kubeflow(), pod, "tensorflow"), Cause::disruption, Verdict::retryable,
        "the pod was disrupted (deleted before it ended): profile kubeflow calls that retryable");
  pod.deletion_timestamp = 1029;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::disruption);
  pod.deletion_timestamp = 1031;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::code);
}

TEST_CASE("a deleted pod whose end has no time was disrupted", "[exit_codes][decision]") {
  Pod pod = failed(1);
  pod.deletion_timestamp = 5000;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::code);
  pod.containers[0].terminated = Terminated{.exit_code = 1, .reason = "Error", .finished_at = {}};
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::disruption);
  Pod never = pod_with(unstarted("tensorflow"));
  never.deletion_timestamp = 5000;
  CHECK(decide(kubeflow(), never, "tensorflow").cause == Cause::disruption);
}

TEST_CASE("a failed init container's end counts where the job's has none",
          "[exit_codes][decision]") {
  Pod pod = pod_of_init(container("fetch", 1));
  pod.deletion_timestamp = 1000;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::disruption);
  pod.deletion_timestamp = 1001;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::code);
  // A sidecar's end says nothing.
  pod.init_containers[0].restartable = true;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::disruption);
}

TEST_CASE("deletion times at the ends of the type do not overflow", "[exit_codes][decision]") {
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  Pod pod = failed(1);
  pod.deletion_timestamp = kLow;
  pod.deletion_grace_period = kHigh;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::disruption);
  pod.deletion_timestamp = kHigh;
  pod.deletion_grace_period = kLow;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::code);
}

TEST_CASE("disruption beats reasons, codes and no exit code", "[exit_codes][decision]") {
  for (Pod pod : {failed(137, "OOMKilled"), failed(139), pod_with(unstarted("tensorflow")),
                  failed(137, "ContainerStatusUnknown"), pod_of_init(container("fetch", 1))}) {
    pod.disruption_target = true;
    CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::disruption);
  }
}

TEST_CASE("disruption is permanent where the table says so", "[exit_codes][decision]") {
  Pod pod = failed(143);
  pod.disruption_target = true;
  check(decide(built_in_profiles()[3], pod, "tensorflow"), Cause::disruption, Verdict::permanent,
        "the pod was disrupted (condition DisruptionTarget): profile all-permanent calls that "
        "permanent");
}

TEST_CASE("OOMKilled with 137 is permanent", "[exit_codes][decision]") {
  check(decide(kubeflow(), failed(137, "OOMKilled"), "tensorflow"), Cause::reason,
        Verdict::permanent, "OOMKilled with 137 is permanent: profile kubeflow lists that reason");
  check(decide(kubeflow(), failed(137), "tensorflow"), Cause::code, Verdict::retryable,
        "137 (SIGKILL, signal 9) is retryable: profile kubeflow lists it");
}

TEST_CASE("OOMKilled with another code is judged by the code", "[exit_codes][decision]") {
  CHECK(decide(kubeflow(), failed(143, "OOMKilled"), "tensorflow").cause == Cause::code);
  CHECK(decide(kubeflow(), failed(143, "OOMKilled"), "tensorflow").verdict == Verdict::retryable);
  CHECK(decide(kubeflow(), failed(0, "OOMKilled"), "tensorflow").verdict == Verdict::undefined);
}

TEST_CASE("OOMKilled that the table does not list is judged by the code",
          "[exit_codes][decision]") {
  Table table = kubeflow();
  table.reasons.clear();
  CHECK(decide(table, failed(137, "OOMKilled"), "tensorflow").verdict == Verdict::retryable);
}

TEST_CASE("a sidecar's reason never counts", "[exit_codes][decision]") {
  Pod pod = failed(143);
  pod.containers.push_back(container("sidecar", 137, "OOMKilled"));
  pod.init_containers = {container("proxy", 137, "OOMKilled")};
  pod.init_containers[0].restartable = true;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::code);
  CHECK(decide(kubeflow(), pod, "tensorflow").verdict == Verdict::retryable);
}

TEST_CASE("other reasons hold with any code", "[exit_codes][decision]") {
  Table table = kubeflow();
  table.reasons["Evicted"] = Verdict::retryable;
  table.reasons["StartError"] = Verdict::permanent;
  Pod evicted = failed(139);
  evicted.reason = "Evicted";
  check(decide(table, evicted, "tensorflow"), Cause::reason, Verdict::retryable,
        "pod reason Evicted is retryable: profile kubeflow lists that reason");
  check(decide(table, failed(143, "StartError"), "tensorflow"), Cause::reason, Verdict::permanent,
        "StartError with 143 is permanent: profile kubeflow lists that reason");
}

TEST_CASE("a listed pod reason beats the container's, an init container's and no exit code",
          "[exit_codes][decision]") {
  Table table = kubeflow();
  table.reasons["Evicted"] = Verdict::retryable;
  table.no_exit_code = Verdict::permanent;
  for (Pod pod : {failed(137, "OOMKilled"), pod_with(unstarted("tensorflow")),
                  pod_of_init(container("fetch", 1)), pod_of_init(container("init-pytorch", 1))}) {
    pod.reason = "Evicted";
    const Decision decision = decide(table, pod, "tensorflow");
    CHECK(decision.cause == Cause::reason);
    CHECK(decision.verdict == Verdict::retryable);
  }
}

TEST_CASE("an empty reason in a table matches nothing", "[exit_codes][decision]") {
  Table table = kubeflow();
  table.reasons[""] = Verdict::permanent;
  CHECK(decide(table, failed(143, ""), "tensorflow").verdict == Verdict::retryable);
}

TEST_CASE("a listed reason beats the runtime's loss", "[exit_codes][decision]") {
  Table table = kubeflow();
  table.reasons["ContainerStatusUnknown"] = Verdict::permanent;
  CHECK(decide(table, failed(137, "ContainerStatusUnknown"), "tensorflow").cause == Cause::reason);
}

TEST_CASE("a failed init container is judged where the job's container never started",
          "[exit_codes][decision]") {
  check(decide(kubeflow(), pod_of_init(container("fetch", 1)), "tensorflow"), Cause::code,
        Verdict::permanent,
        "init container fetch: 1 (general error) is permanent: profile kubeflow lists it");
  check(
      decide(kubeflow(), pod_of_init(container("fetch", 137, "OOMKilled")), "tensorflow"),
      Cause::reason, Verdict::permanent,
      "init container fetch: OOMKilled with 137 is permanent: profile kubeflow lists that reason");
  check(decide(kubeflow(), pod_of_init(container("fetch", 42)), "tensorflow"), Cause::code,
        Verdict::undefined, Verdict::permanent,
        "init container fetch: 42 is undefined: profile kubeflow lists it on neither side and "
        "handles undefined codes as permanent");
}

TEST_CASE("an init container does not count once the job's container ended",
          "[exit_codes][decision]") {
  Pod pod = failed(143);
  pod.init_containers = {container("fetch", 1)};
  CHECK(decide(kubeflow(), pod, "tensorflow").verdict == Verdict::retryable);
}

TEST_CASE("sidecars and init containers that did not fail are passed over",
          "[exit_codes][decision]") {
  Pod pod = pod_of_init(container("proxy", 139));
  pod.init_containers[0].restartable = true;
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::no_exit_code);
  pod.init_containers.push_back(container("done", 0, "Completed"));
  pod.init_containers.push_back(unstarted("waiting"));
  CHECK(decide(kubeflow(), pod, "tensorflow").cause == Cause::no_exit_code);
  pod.init_containers.push_back(container("fetch", 2));
  CHECK(decide(kubeflow(), pod, "tensorflow").verdict == Verdict::permanent);
}

TEST_CASE("init containers that an operator adds count as no exit code", "[exit_codes][decision]") {
  for (const std::string name : {"init-pytorch", "kubectl-delivery"}) {
    check(decide(kubeflow(), pod_of_init(container(name, 137, "OOMKilled")), "tensorflow"),
          Cause::no_exit_code, Verdict::retryable,
          "init container " + name +
              ", which the operator adds, failed: profile kubeflow calls that retryable");
  }
}

TEST_CASE("a container that never ran to an end has no exit code", "[exit_codes][decision]") {
  check(decide(kubeflow(), pod_with(unstarted("tensorflow")), "tensorflow"), Cause::no_exit_code,
        Verdict::retryable,
        "container tensorflow never ran to an end: profile kubeflow calls that retryable");
  const std::string because =
      "the job's container never ran to an end: profile kubeflow calls that retryable";
  check(decide(kubeflow(), Pod{}, "tensorflow"), Cause::no_exit_code, Verdict::retryable, because);
  check(decide(kubeflow(), Pod{}, ""), Cause::no_exit_code, Verdict::retryable, because);
  check(decide(kubeflow(), pod_with(container("other", 139)), "tensorflow"), Cause::no_exit_code,
        Verdict::retryable, because);
}

TEST_CASE("an end that the runtime lost has no exit code", "[exit_codes][decision]") {
  for (const std::string reason : {"Unknown", "ContainerStatusUnknown"}) {
    check(decide(kubeflow(), failed(139, reason), "tensorflow"), Cause::no_exit_code,
          Verdict::retryable,
          "the runtime lost how container tensorflow ended (reason " + reason +
              "): profile kubeflow calls that retryable");
  }
  CHECK(decide(kubeflow(), failed(139, "unknown"), "tensorflow").cause == Cause::code);
  CHECK(decide(built_in_profiles()[3], failed(143, "Unknown"), "tensorflow").verdict ==
        Verdict::permanent);
}

TEST_CASE("retries are used up once the limit is reached", "[exit_codes][decision]") {
  Table table = kubeflow();
  table.max_retries = 3;
  CHECK(decide(table, failed(143), "tensorflow", 2).cause == Cause::code);
  check(decide(table, failed(143), "tensorflow", 3), Cause::retries_used_up, Verdict::permanent,
        "143 (SIGTERM, signal 15) is retryable: profile kubeflow lists it; but this replica was "
        "retried 3 times already and the limit is 3, so this counts as permanent");
  CHECK(decide(table, failed(143), "tensorflow", 4).cause == Cause::retries_used_up);
  CHECK(decide(kubeflow(), failed(143), "tensorflow", 1'000'000).cause == Cause::code);
}

TEST_CASE("a limit of 0 allows no retry, a limit of 1 one", "[exit_codes][decision]") {
  Table table = kubeflow();
  table.max_retries = 0;
  CHECK(decide(table, failed(143), "tensorflow").because ==
        "143 (SIGTERM, signal 15) is retryable: profile kubeflow lists it; but this replica was "
        "retried 0 times already and the limit is 0, so this counts as permanent");
  table.max_retries = 1;
  CHECK(decide(table, failed(143), "tensorflow", 0).cause == Cause::code);
  CHECK(decide(table, failed(143), "tensorflow", 1).because ==
        "143 (SIGTERM, signal 15) is retryable: profile kubeflow lists it; but this replica was "
        "retried once already and the limit is 1, so this counts as permanent");
}

TEST_CASE("the limit counts for reasons, undefined codes and no exit code",
          "[exit_codes][decision]") {
  Table table = kubeflow();
  table.max_retries = 1;
  table.undefined = Verdict::retryable;
  table.reasons["StartError"] = Verdict::retryable;
  for (const Pod& pod : {failed(42), failed(1, "StartError"), pod_with(unstarted("tensorflow")),
                         failed(143, "Unknown"), pod_of_init(container("init-pytorch", 1))}) {
    CHECK(decide(table, pod, "tensorflow", 0).handled_as == Verdict::retryable);
    const Decision decision = decide(table, pod, "tensorflow", 1);
    CHECK(decision.cause == Cause::retries_used_up);
    CHECK(decision.verdict == Verdict::permanent);
    CHECK(decision.handled_as == Verdict::permanent);
  }
}

TEST_CASE("the limit never applies to disruptions", "[exit_codes][decision]") {
  Table table = kubeflow();
  table.max_retries = 0;
  Pod pod = failed(143);
  pod.disruption_target = true;
  const Decision decision = decide(table, pod, "tensorflow", 100);
  CHECK(decision.cause == Cause::disruption);
  CHECK(decision.handled_as == Verdict::retryable);
}

TEST_CASE("what is permanent anyway keeps its cause at the limit", "[exit_codes][decision]") {
  Table table = kubeflow();
  table.max_retries = 0;
  CHECK(decide(table, failed(139), "tensorflow", 5).cause == Cause::code);
  CHECK(decide(table, failed(42), "tensorflow", 5).verdict == Verdict::undefined);
  CHECK(decide(table, failed(137, "OOMKilled"), "tensorflow", 5).cause == Cause::reason);
}

}  // namespace exit_codes
