#include "enforcer/event_recorder.h"

#include <atomic>

#include "tests/enforcer/running.h"
#include "tests/support/catch.h"
#include "tests/support/fake_cluster.h"

using enforcer::EventRecorder;

namespace {

kube::Event event(const std::string& name) {
  return {
      .about = {.api_version = "v1", .kind = "Pod", .name_space = "n", .name = name, .uid = "u"},
      .warning = true,
      .reason = "R",
      .message = "m"};
}

}  // namespace

TEST_CASE("Events are recorded, the last ones before the end too", "[enforcer][event_recorder]") {
  support::FakeCluster cluster;
  {
    EventRecorder recorder(cluster, "test", [](const kube::Error&) { CHECK(false); });
    for (int i = 0; i < 100; ++i) recorder.record(event("p" + std::to_string(i)));
  }
  CHECK(cluster.all("/api/v1/events").size() == 100);
}

TEST_CASE("An Event that fails is dropped and counted", "[enforcer][event_recorder]") {
  support::FakeCluster cluster;
  std::atomic<int> errors = 0;
  EventRecorder recorder(cluster, "test", [&](const kube::Error&) { ++errors; });
  cluster.fail("POST", "/events", {.status = 500, .message = "broken"});
  cluster.fail("POST", "/events", {.status = 403, .message = "the namespace is going"});
  for (const char* const name : {"a", "b", "c"}) recorder.record(event(name));
  CHECK(enforcer_test::eventually([&] { return cluster.all("/api/v1/events").size() == 1; }));
  CHECK(recorder.dropped() == 2);
  CHECK(errors == 1);
}

TEST_CASE("What finds no room is dropped, and nobody waits", "[enforcer][event_recorder]") {
  support::FakeCluster cluster;
  std::atomic<bool> open = false;
  cluster.before_each_call([&](const kube::Request&) {
    while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EventRecorder recorder(cluster, "test", [](const kube::Error&) {});
  for (std::size_t i = 0; i < EventRecorder::kRoom + 10; ++i) recorder.record(event("p"));
  CHECK(recorder.dropped() >= 9);
  open = true;
}
