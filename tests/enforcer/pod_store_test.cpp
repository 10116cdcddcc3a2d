#include "enforcer/pod_store.h"

#include <nlohmann/json.hpp>

#include "tests/enforcer/objects.h"
#include "tests/support/catch.h"

using enforcer::PodStore;
using enforcer_test::pod;
using Clock = PodStore::Clock;

namespace {

std::vector<std::string> uids(const std::vector<enforcer::WatchedPod>& pods) {
  std::vector<std::string> found;
  found.reserve(pods.size());
  for (const auto& each : pods) found.push_back(each.uid);
  return found;
}

using Uids = std::vector<std::string>;

}  // namespace

TEST_CASE("Pods are found by their job", "[enforcer][pod_store]") {
  PodStore store;
  REQUIRE(store.update(pod({.uid = "a"})));
  REQUIRE(store.update(pod({.uid = "b", .job = "other", .job_uid = "job-2"})));
  CHECK(uids(store.pods_of("job-1")) == Uids{"a"});
  CHECK(uids(store.pods_of("job-2")) == Uids{"b"});
  CHECK(store.pods_of("job-3").empty());
  CHECK(store.jobs().size() == 2);
  CHECK(store.size() == 2);
}

TEST_CASE("A failed pod is kept until it is judged, though it has vanished",
          "[enforcer][pod_store]") {
  PodStore store;
  store.update(pod({.uid = "a", .held = true}));
  CHECK(store.held() == 1);
  store.remove(pod({.uid = "a", .held = true}), Clock::now());
  CHECK(uids(store.unjudged("job-1")) == Uids{"a"});
  CHECK(store.held() == 0);
  store.set_judged("a");
  CHECK(store.size() == 0);
  CHECK(store.jobs().empty());
}

TEST_CASE("A failure that only the deletion shows is kept too", "[enforcer][pod_store]") {
  PodStore store;
  store.update(pod({.uid = "a", .phase = "Running", .code = std::nullopt}));
  store.remove(pod({.uid = "a"}), Clock::now());
  CHECK(uids(store.unjudged("job-1")) == Uids{"a"});
}

TEST_CASE("What did not fail goes when it goes", "[enforcer][pod_store]") {
  PodStore store;
  store.update(pod({.uid = "a", .phase = "Succeeded", .code = 0}));
  store.remove(pod({.uid = "a", .phase = "Succeeded", .code = 0}), Clock::now());
  CHECK(store.size() == 0);
}

TEST_CASE("A judged pod stays as long as it is there", "[enforcer][pod_store]") {
  PodStore store;
  store.update(pod({.uid = "a"}));
  store.set_judged("a");
  CHECK(store.is_judged("a"));
  CHECK(store.unjudged("job-1").empty());
  CHECK(uids(store.pods_of("job-1")) == Uids{"a"});
  store.update(pod({.uid = "a", .version = "11"}));
  CHECK(store.is_judged("a"));
  store.remove(pod({.uid = "a"}), Clock::now());
  CHECK(store.size() == 0);
}

TEST_CASE("What a list does not name is gone", "[enforcer][pod_store]") {
  PodStore store;
  store.update(pod({.uid = "failed"}));
  store.update(pod({.uid = "running", .phase = "Running", .code = std::nullopt}));
  store.update(pod({.uid = "there", .phase = "Running", .code = std::nullopt}));
  store.begin_list();
  store.update(pod({.uid = "there", .phase = "Running", .code = std::nullopt}));
  store.end_list(Clock::now());
  CHECK(store.size() == 2);
  CHECK(uids(store.unjudged("job-1")) == Uids{"failed"});
}

TEST_CASE("Failures are judged in their order", "[enforcer][pod_store]") {
  PodStore store;
  store.update(pod({.uid = "a", .version = "30"}));
  store.update(pod({.uid = "b", .version = "9"}));
  store.update(pod({.uid = "c", .version = "20"}));
  CHECK(uids(store.unjudged("job-1")) == Uids{"b", "c", "a"});
}

TEST_CASE("Vanished pods are forgotten where nobody judges", "[enforcer][pod_store]") {
  PodStore store;
  const auto now = Clock::now();
  store.update(pod({.uid = "there"}));
  store.update(pod({.uid = "old"}));
  store.remove(pod({.uid = "old"}), now - std::chrono::seconds(50));
  store.update(pod({.uid = "young"}));
  store.remove(pod({.uid = "young"}), now);
  store.forget_vanished(now - std::chrono::seconds(40));
  CHECK(store.size() == 2);
  CHECK(store.unjudged("job-1").size() == 2);
}

TEST_CASE("A pod that loses its owner is ours only as long as we hold it",
          "[enforcer][pod_store]") {
  PodStore store;
  store.update(pod({.uid = "a", .held = true}));
  auto orphan = pod({.uid = "a", .held = true});
  orphan["metadata"].erase("ownerReferences");
  const auto found = store.update(orphan);
  REQUIRE(found);
  CHECK(found->job.kind == nullptr);
  CHECK(store.pods_of("job-1").empty());
  CHECK(uids(store.pods_of("a")) == Uids{"a"});
  orphan["metadata"].erase("finalizers");
  CHECK_FALSE(store.update(orphan));
  CHECK(store.size() == 0);
}

TEST_CASE("Pods of others are not kept", "[enforcer][pod_store]") {
  PodStore store;
  CHECK_FALSE(store.update(pod({.kind = "MPIJob"})));
  CHECK_FALSE(store.remove(pod({.kind = "MPIJob"}), Clock::now()));
  CHECK(store.size() == 0);
}
