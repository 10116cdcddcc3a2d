#include "enforcer/watched_pod.h"

#include <nlohmann/json.hpp>

#include "tests/enforcer/objects.h"
#include "tests/support/catch.h"

using enforcer::read_pod;
using enforcer::WatchedPod;
using enforcer_test::pod;
using enforcer_test::PodSpec;
using nlohmann::json;

namespace {

WatchedPod read(const PodSpec& spec, const WatchedPod* before = nullptr) {
  auto found = read_pod(pod(spec), before);
  REQUIRE(found);
  return *found;
}

/// Whether a failed pod counts as deleted before it ended.
bool deleted_first(const PodSpec& spec, const WatchedPod* before = nullptr) {
  const WatchedPod found = read(spec, before);
  REQUIRE(found.end);
  return found.end->pod.deletion_timestamp.has_value();
}

}  // namespace

TEST_CASE("A pod is read as far as it is needed", "[enforcer][watched_pod]") {
  const WatchedPod found = read({.message = "it broke", .held = true, .version = "12"});
  CHECK(found.job == enforcer_test::tfjob_ref());
  CHECK(found.name == "mnist-worker-0");
  CHECK(found.uid == "pod-1");
  CHECK(found.replica() == "worker-0");
  CHECK(found.created == "2026-12-01T07:59:00Z");
  CHECK(found.phase == WatchedPod::Phase::failed);
  CHECK(found.held);
  CHECK_FALSE(found.deleting);
  REQUIRE(found.table);
  REQUIRE(found.end);
  CHECK(found.end->message == "it broke");
  CHECK(found.end->version == 12);
  REQUIRE(found.end->pod.containers.size() == 1);
  CHECK(found.end->pod.containers[0].terminated->exit_code == 1);
}

TEST_CASE("A pod that goes on has no end", "[enforcer][watched_pod]") {
  const WatchedPod running = read({.phase = "Running", .code = std::nullopt});
  CHECK(running.phase == WatchedPod::Phase::active);
  CHECK(running.running);
  CHECK_FALSE(running.end);
  CHECK(read({.phase = "Succeeded", .code = 0}).phase == WatchedPod::Phase::succeeded);
}

TEST_CASE("All kinds of the operator that read codes are watched, no others",
          "[enforcer][watched_pod]") {
  for (const char* const kind :
       {"TFJob", "PyTorchJob", "PaddleJob", "XGBoostJob", "JAXJob", "MXJob"}) {
    CAPTURE(kind);
    CHECK(read_pod(pod({.kind = kind}), nullptr));
  }
  CHECK_FALSE(read_pod(pod({.kind = "MPIJob"}), nullptr));
  CHECK_FALSE(read_pod(pod({.kind = "TFJob", .api_version = "kubeflow.org/v1beta2"}), nullptr));
  CHECK_FALSE(read_pod(pod({.kind = "Job", .api_version = "batch/v1"}), nullptr));
}

TEST_CASE("Somebody else's pod with table and labels is none of ours", "[enforcer][watched_pod]") {
  json object = pod();
  SECTION("another controller") { object["metadata"]["ownerReferences"][0]["kind"] = "ReplicaSet"; }
  SECTION("an owner that does not control") {
    object["metadata"]["ownerReferences"][0]["controller"] = false;
  }
  SECTION("no owner") { object["metadata"].erase("ownerReferences"); }
  CHECK_FALSE(read_pod(object, nullptr));

  // But what we hold we have to let go.
  object["metadata"]["finalizers"] = {"exit-codes.kubeflow.org/verdict"};
  const auto held = read_pod(object, nullptr);
  REQUIRE(held);
  CHECK(held->held);
  CHECK(held->job.kind == nullptr);
  CHECK(held->job.name == "mnist-worker-0");
  CHECK(held->job.uid == "pod-1");
  CHECK_FALSE(held->end);
}

TEST_CASE("What is not there is empty", "[enforcer][watched_pod]") {
  json object = pod();
  object["metadata"].erase("labels");
  object["metadata"].erase("annotations");
  object.erase("status");
  const auto found = read_pod(object, nullptr);
  REQUIRE(found);
  CHECK(found->replica_type.empty());
  CHECK_FALSE(found->table);
  CHECK(found->phase == WatchedPod::Phase::active);
  CHECK_FALSE(read_pod(json("text"), nullptr));
  CHECK_FALSE(read_pod(json::object(), nullptr));
}

TEST_CASE("A termination message is cut between characters", "[enforcer][watched_pod]") {
  const std::string long_one = std::string(999, 'x') + "\xC3\xA4" + "tail";
  CHECK(read({.message = long_one}).end->message == std::string(999, 'x'));
}

TEST_CASE("A pod's own message stands in for its container's", "[enforcer][watched_pod]") {
  json object = pod({.code = std::nullopt});
  object["status"]["message"] = "the node was low on memory";
  CHECK(read_pod(object, nullptr)->end->message == "the node was low on memory");
}

TEST_CASE("Whether a pod was deleted or ended first is told by the times",
          "[enforcer][watched_pod]") {
  const PodSpec ended{.finished = "2026-12-01T08:00:10Z"};
  CHECK_FALSE(deleted_first(ended));
  PodSpec spec = ended;
  // The deletion's time is that of its end, grace included.
  spec.deleted = "2026-12-01T08:00:41Z";
  spec.grace = 30;
  CHECK_FALSE(deleted_first(spec));
  spec.deleted = "2026-12-01T08:00:39Z";
  CHECK(deleted_first(spec));
}

TEST_CASE("Within one second the watch decides, or what the kubelet had seen",
          "[enforcer][watched_pod]") {
  PodSpec spec{.finished = "2026-12-01T08:00:10Z", .deleted = "2026-12-01T08:00:10Z"};
  spec.generation = 2;
  spec.observed_generation = 1;
  CHECK_FALSE(deleted_first(spec));
  spec.observed_generation = 2;
  CHECK(deleted_first(spec));
  spec.observed_generation = 0;  // Kubernetes before 1.33
  CHECK(deleted_first(spec));

  // It was seen being deleted before it was seen to fail.
  const WatchedPod deleting =
      read({.phase = "Running", .code = std::nullopt, .deleted = "2026-12-01T08:00:10Z"});
  spec.observed_generation = 1;
  CHECK(deleted_first(spec, &deleting));

  // It was seen to fail before it was deleted.
  const WatchedPod failed = read({.finished = "2026-12-01T08:00:10Z"});
  spec.observed_generation = 2;
  CHECK_FALSE(deleted_first(spec, &failed));
}

TEST_CASE("Without an end of its own a deleted pod was deleted first", "[enforcer][watched_pod]") {
  CHECK(deleted_first({.code = std::nullopt, .deleted = "2026-12-01T08:00:10Z"}));
}

TEST_CASE("What was seen of a failure stays as it was seen", "[enforcer][watched_pod]") {
  const WatchedPod first = read({.version = "10"});
  const WatchedPod later = read({.code = 137, .version = "20"}, &first);
  CHECK(later.end == first.end);
  CHECK(read({.uid = "pod-2", .version = "20"}, &first).end->version == 20);
}

TEST_CASE("Equal tables are kept once", "[enforcer][watched_pod]") {
  CHECK(read({}).table == read({.name = "another", .uid = "pod-2"}).table);
  CHECK(read({}).table != read({.profile = "cloudml"}).table);
}
