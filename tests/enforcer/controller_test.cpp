#include "enforcer/controller.h"

#include <condition_variable>
#include <deque>
#include <mutex>

#include "tests/enforcer/objects.h"
#include "tests/enforcer/running.h"
#include "tests/support/catch.h"

using enforcer_test::eventually;
using enforcer_test::job;
using enforcer_test::job_path;
using enforcer_test::Parts;
using enforcer_test::pod;
using enforcer_test::pod_path;
using nlohmann::json;

namespace {

/// Watch events that come when the test says so.
class Feed {
 public:
  explicit Feed(support::FakeCluster& cluster) {
    cluster.watch = [this](const std::string&, const std::function<bool(std::string_view)>& on_line,
                           const std::stop_token& stop) -> std::expected<void, kube::Error> {
      std::unique_lock lock(mutex_);
      while (changed_.wait(lock, stop, [this] { return !lines_.empty(); })) {
        const std::string line = std::move(lines_.front());
        lines_.pop_front();
        lock.unlock();
        on_line(line);
        lock.lock();
      }
      return {};
    };
  }

  void send(const char* type, const json& object) {
    {
      const std::lock_guard lock(mutex_);
      lines_.push_back(json{{"type", type}, {"object", object}}.dump());
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> lines_;
};

std::unique_ptr<enforcer::Controller> controller_of(Parts& parts) {
  return std::make_unique<enforcer::Controller>(
      parts.parts(), parts.cluster, enforcer::ControllerOptions{.name_space = {}, .workers = 2},
      [](const kube::Error&, std::chrono::milliseconds) {});
}

bool is_failed(const Parts& parts) {
  return parts.cluster.get(job_path())["status"].contains("completionTime");
}

}  // namespace

TEST_CASE("A leader judges what it finds and what the watch brings", "[enforcer][controller]") {
  Parts parts;
  Feed feed(parts.cluster);
  parts.cluster.put(job_path(), job());
  parts.cluster.put(pod_path(), pod({.phase = "Running", .code = std::nullopt}));
  const auto controller = controller_of(parts);
  CHECK_FALSE(controller->synced());
  controller->start();
  controller->lead();
  REQUIRE(eventually([&] { return controller->synced(); }));
  CHECK_FALSE(is_failed(parts));
  feed.send("MODIFIED", pod({.code = 139, .version = "200"}));
  CHECK(eventually([&] { return is_failed(parts); }));
  CHECK(controller->queue_depth() == 0);
}

TEST_CASE("A candidate only watches, and misses nothing when it leads", "[enforcer][controller]") {
  Parts parts;
  Feed feed(parts.cluster);
  parts.cluster.put(job_path(), job());
  const auto controller = controller_of(parts);
  controller->start();
  feed.send("ADDED", pod({.code = 139, .version = "200"}));
  feed.send("DELETED", pod({.code = 139, .version = "201"}));
  REQUIRE(eventually([&] { return parts.pods.size() == 1; }));
  CHECK(parts.cluster.requests("GET", "/tfjobs").empty());
  CHECK_FALSE(is_failed(parts));
  controller->lead();
  CHECK(eventually([&] { return is_failed(parts); }));
}

TEST_CASE("A new leader removes what the operator left of jobs failed before",
          "[enforcer][controller]") {
  Parts parts;
  const Feed feed(parts.cluster);
  const std::string now = "2999-01-01T00:00:00Z";
  parts.cluster.put(
      job_path(),
      job({.status = {{"completionTime", now},
                      {"conditions",
                       {{{"type", "Failed"},
                         {"status", "True"},
                         {"reason", "ExitCodePermanent"},
                         {"message", "pod mnist-worker-0 ended with exit code 139"}}}}}}));
  parts.cluster.put(pod_path(), pod({.uid = "again", .phase = "Running", .code = std::nullopt}));
  const auto controller = controller_of(parts);
  controller->start();
  REQUIRE(eventually([&] { return controller->synced(); }));
  controller->lead();
  CHECK(eventually([&] { return parts.cluster.get(pod_path()).is_null(); }));
}

TEST_CASE("A call that fails is made again", "[enforcer][controller]") {
  Parts parts;
  Feed feed(parts.cluster);
  parts.cluster.put(job_path(), job());
  parts.cluster.fail("PATCH", "/status", {.status = 500, .message = "broken"}, 3);
  const auto controller = controller_of(parts);
  controller->start();
  controller->lead();
  feed.send("ADDED", pod({.code = 139, .version = "200"}));
  CHECK(eventually([&] { return is_failed(parts); }));
  CHECK(parts.cluster.requests("PATCH", "/status").size() == 4);
  CHECK(parts.metrics.text().find(R"(tfjob_enforcer_api_errors_total{call="reconcile"} 3)") !=
        std::string::npos);
}

TEST_CASE("Pods of before are released when the configuration says so", "[enforcer][controller]") {
  Parts parts;
  const Feed feed(parts.cluster);
  parts.settings.evidence = admission::Evidence::finalizer;
  parts.cluster.put(job_path(), job());
  parts.cluster.put(pod_path(), pod({.phase = "Running", .code = std::nullopt, .held = true}));
  const auto controller = controller_of(parts);
  controller->start();
  REQUIRE(eventually([&] { return controller->synced(); }));
  parts.settings.evidence = admission::Evidence::none;
  controller->lead();
  CHECK(eventually(
      [&] { return parts.cluster.get(pod_path())["metadata"]["finalizers"] == json{"a/b"}; }));
}
