#include "enforcer/reconciler.h"

#include "tests/enforcer/objects.h"
#include "tests/enforcer/running.h"
#include "tests/support/catch.h"

using enforcer_test::job;
using enforcer_test::job_path;
using enforcer_test::Parts;
using enforcer_test::pod;
using enforcer_test::pod_path;
using enforcer_test::tfjob_ref;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

/// The job's Failed condition; null if it has none that is true.
json failed_condition(const Parts& parts) {
  const json stored = parts.cluster.get(job_path());
  for (const json& condition : stored["status"]["conditions"]) {
    if (condition["type"] == "Failed" && condition["status"] == "True") return condition;
  }
  return nullptr;
}

int retries_of(const Parts& parts, const std::string& replica = "worker-0") {
  const json stored = parts.cluster.get(job_path());
  return enforcer::read_job(*tfjob_ref().kind, stored).retries.count(replica);
}

bool is_held(const Parts& parts, const std::string& name = "mnist-worker-0") {
  const json stored = parts.cluster.get(pod_path(name));
  const json& names = stored["metadata"]["finalizers"];
  return std::ranges::find(names, json("exit-codes.kubeflow.org/verdict")) != names.end();
}

}  // namespace

TEST_CASE("A permanent end fails its job", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.code = 139, .message = "it broke"}));
  enforcer::Reconciler reconciler(parts.parts());
  REQUIRE(reconciler.reconcile(tfjob_ref()));

  const json condition = failed_condition(parts);
  CHECK(condition["reason"] == "ExitCodePermanent");
  const std::string message =
      "pod mnist-worker-0 ended with exit code 139 (SIGSEGV, signal 11), reason Error: 139 "
      "(SIGSEGV, signal 11) is permanent: profile kubeflow lists it. It wrote: it broke";
  CHECK(condition["message"] == message);
  CHECK(parts.cluster.get(job_path())["status"].contains("completionTime"));
  CHECK(parts.events() ==
        std::vector<std::string>{"ExitCodePermanent Pod/mnist-worker-0: " + message,
                                 "ExitCodePermanent TFJob/mnist: " + message});
  const auto patches = parts.cluster.requests("PATCH");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].path == job_path() + "/status");
  CHECK(patches[0].content_type == "application/merge-patch+json");
}

TEST_CASE("A pod that has vanished is judged all the same", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.code = 139}));
  parts.vanish(pod({.code = 139}));
  enforcer::Reconciler reconciler(parts.parts());
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK_FALSE(failed_condition(parts).is_null());
  CHECK(parts.pods.size() == 0);
}

TEST_CASE("A retry is counted on the job, once for each pod", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  enforcer::Reconciler reconciler(parts.parts());
  for (int i = 1; i <= 3; ++i) {
    const std::string uid = "pod-" + std::to_string(i);
    parts.show(pod({.uid = uid, .code = 143}));
    REQUIRE(reconciler.reconcile(tfjob_ref()));
    REQUIRE(reconciler.reconcile(tfjob_ref()));
    CHECK(retries_of(parts) == i);
    CHECK(failed_condition(parts).is_null());
  }
  const auto applied = parts.cluster.requests("PATCH");
  REQUIRE(applied.size() == 3);
  CHECK(applied[0].path == job_path() + "?fieldManager=tfjob-enforcer&force=true");
  CHECK(applied[0].content_type == "application/apply-patch+yaml");
  CHECK(parts.events().empty());
}

TEST_CASE("The limit holds, also for a process that starts anew at any point",
          "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  for (int i = 1; i <= 4; ++i) {
    CHECK(failed_condition(parts).is_null());
    const json failed =
        pod({.uid = "pod-" + std::to_string(i), .max_retries = 3, .code = 143, .held = true});
    parts.show(failed);
    // Killed before its first call, after the count was written, and after the release.
    for (const int calls : {0, 1, 100}) {
      enforcer::PodStore seen;
      seen.update(parts.cluster.get(pod_path()));
      auto own = parts.parts();
      const enforcer::ReconcilerParts anew{.api = own.api,
                                           .pods = seen,
                                           .failed = own.failed,
                                           .reporter = own.reporter,
                                           .settings = own.settings};
      int patches = 0;
      parts.cluster.before_each_call([&](const kube::Request& request) {
        if (request.method == "PATCH" && ++patches > calls) throw std::runtime_error("killed");
      });
      enforcer::Reconciler reconciler(anew);
      try {
        const auto done = reconciler.reconcile(tfjob_ref());
        CHECK(done);
      } catch (const std::runtime_error&) {
        CHECK(calls < 100);
      }
      parts.cluster.before_each_call(nullptr);
    }
    CHECK(retries_of(parts) == std::min(i, 3));
  }
  CHECK(failed_condition(parts)["reason"] == "MaxRetriesExceeded");
}

TEST_CASE("A job that changes meanwhile is read and judged again", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.code = 139}));
  enforcer::Reconciler reconciler(parts.parts());
  json other = job();
  SECTION("the operator writes its status") { other["status"]["lastReconcileTime"] = "x"; }
  SECTION("it is suspended") { other["spec"]["runPolicy"]["suspend"] = true; }
  SECTION("it is finished") {
    other["status"]["conditions"].push_back({{"type", "Succeeded"}, {"status", "True"}});
  }
  bool first = true;
  parts.cluster.before_each_call([&](const kube::Request& request) {
    if (request.method != "PATCH" || !first) return;
    first = false;
    parts.cluster.put(job_path(), other);
  });
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(parts.cluster.requests("PATCH").size() ==
        (other["status"].contains("lastReconcileTime") ? 2 : 1));
  CHECK(failed_condition(parts).is_null() != other["status"].contains("lastReconcileTime"));
  CHECK(parts.pods.is_judged("pod-1"));
}

TEST_CASE("A job that changes all the time is looked at again later", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.code = 139}));
  parts.cluster.fail("PATCH", "/status", {.status = 409, .message = "conflict"}, -1);
  enforcer::Reconciler reconciler(parts.parts());
  const auto done = reconciler.reconcile(tfjob_ref());
  REQUIRE_FALSE(done);
  CHECK(kube::to_string(done.error()) == "409 Conflict: the job changes all the time");
  CHECK_FALSE(parts.pods.is_judged("pod-1"));
}

TEST_CASE("A call that fails leaves the pod to be judged again", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.code = 139}));
  enforcer::Reconciler reconciler(parts.parts());
  const std::string method = GENERATE("GET", "PATCH");
  const int status = GENERATE(0, 429, 500);
  parts.cluster.fail(method, "/tfjobs/", {.status = status, .message = "broken"});
  const auto done = reconciler.reconcile(tfjob_ref());
  REQUIRE_FALSE(done);
  CHECK(done.error().status == status);
  CHECK_FALSE(parts.pods.is_judged("pod-1"));
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK_FALSE(failed_condition(parts).is_null());
}

TEST_CASE("A new job of the same name is not failed by the old one's pods",
          "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job({.uid = "job-2"}));
  parts.show(pod({.code = 139}));
  enforcer::Reconciler reconciler(parts.parts());
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(failed_condition(parts).is_null());
  CHECK(parts.cluster.requests("PATCH").empty());
  CHECK(parts.pods.is_judged("pod-1"));
}

TEST_CASE("Retries start from zero when a suspended job is resumed", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  enforcer::Reconciler reconciler(parts.parts());
  parts.show(pod({.uid = "a", .max_retries = 1, .code = 143}));
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(retries_of(parts) == 1);
  json resumed = parts.cluster.get(job_path());
  resumed["status"]["conditions"].push_back(
      {{"type", "Suspended"}, {"status", "False"}, {"lastTransitionTime", "2026-12-01T09:00:00Z"}});
  parts.cluster.put(job_path(), resumed);
  CHECK(retries_of(parts) == 0);
  parts.show(pod({.uid = "b", .max_retries = 1, .code = 143}));
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(retries_of(parts) == 1);
  CHECK(failed_condition(parts).is_null());
  parts.show(pod({.uid = "c", .max_retries = 1, .code = 143}));
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(failed_condition(parts)["reason"] == "MaxRetriesExceeded");
}

TEST_CASE("Two replicas that fail at once are judged in one go", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.uid = "a", .code = 143}));
  parts.show(pod({.name = "mnist-worker-1", .uid = "b", .index = "1", .code = 137}));
  enforcer::Reconciler reconciler(parts.parts());
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(retries_of(parts, "worker-0") == 1);
  CHECK(retries_of(parts, "worker-1") == 1);
  CHECK(parts.cluster.requests("PATCH").size() == 1);
}

TEST_CASE("A held pod is released after the verdict, and not before", "[enforcer][reconciler]") {
  Parts parts;
  parts.settings.evidence = admission::Evidence::finalizer;
  parts.cluster.put(job_path(), job());
  enforcer::Reconciler reconciler(parts.parts());

  SECTION("retried: as soon as it is counted") {
    parts.show(pod({.code = 143, .held = true}));
    const auto again = reconciler.reconcile(tfjob_ref());
    REQUIRE(again);
    CHECK_FALSE(*again);
    CHECK_FALSE(is_held(parts));
    CHECK(parts.cluster.get(pod_path())["metadata"]["finalizers"] == json{"a/b"});
  }
  SECTION("failed: once the operator has had time to see the failure") {
    parts.show(pod({.code = 139, .held = true}));
    const auto again = reconciler.reconcile(tfjob_ref());
    REQUIRE(again);
    REQUIRE(*again);
    CHECK(**again > 500ms);
    CHECK(**again <= 1000ms);
    CHECK(is_held(parts));
    std::this_thread::sleep_for(**again);
    const auto done = reconciler.reconcile(tfjob_ref());
    REQUIRE(done);
    CHECK_FALSE(*done);
    CHECK_FALSE(is_held(parts));
  }
  SECTION("a call fails: not at all") {
    parts.show(pod({.code = 143, .held = true}));
    parts.cluster.fail("PATCH", "/tfjobs/", {.status = 500, .message = "broken"});
    REQUIRE_FALSE(reconciler.reconcile(tfjob_ref()));
    CHECK(is_held(parts));
  }
}

TEST_CASE("Pods that nobody judges are released", "[enforcer][reconciler]") {
  Parts parts;
  parts.settings.evidence = admission::Evidence::finalizer;
  enforcer::Reconciler reconciler(parts.parts());
  const auto released = [&](const enforcer_test::PodSpec& spec) {
    enforcer_test::PodSpec held = spec;
    held.held = true;
    parts.show(pod(held));
    const bool concerns = reconciler.concerns(parts.pods.pods_of("job-1").at(0));
    REQUIRE(reconciler.reconcile(tfjob_ref()));
    CHECK(concerns != is_held(parts));
    return !is_held(parts);
  };
  SECTION("of a job that is there") {
    parts.cluster.put(job_path(), job());
    CHECK(released({.phase = "Succeeded", .code = 0}));
    CHECK(released({.phase = "Running", .code = std::nullopt, .deleted = "2026-12-01T08:00:00Z"}));
    CHECK_FALSE(released({.phase = "Running", .code = std::nullopt}));
  }
  SECTION("of a job that is gone") { CHECK(released({.code = 139})); }
  SECTION("of a job that is suspended") {
    parts.cluster.put(job_path(), job({.run_policy = {{"suspend", true}}}));
    CHECK(released({.code = 139}));
    CHECK(failed_condition(parts).is_null());
  }
  SECTION("when holding is switched off") {
    parts.cluster.put(job_path(), job());
    parts.settings.evidence = admission::Evidence::none;
    CHECK(released({.phase = "Running", .code = std::nullopt}));
  }
}

TEST_CASE("A held pod without a job of ours is released", "[enforcer][reconciler]") {
  Parts parts;
  json orphan = pod({.held = true});
  orphan["metadata"].erase("ownerReferences");
  parts.show(orphan);
  enforcer::Reconciler reconciler(parts.parts());
  const auto known = parts.pods.pods_of("pod-1").at(0);
  CHECK(reconciler.concerns(known));
  REQUIRE(reconciler.reconcile(known.job));
  CHECK_FALSE(is_held(parts));
}

TEST_CASE("A refused release is told and tried again", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.phase = "Succeeded", .code = 0, .held = true}));
  parts.cluster.fail("PATCH", "/pods/",
                     {.status = 403, .reason = "Forbidden", .message = "denied by a webhook"});
  enforcer::Reconciler reconciler(parts.parts());
  REQUIRE_FALSE(reconciler.reconcile(tfjob_ref()));
  CHECK(is_held(parts));
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK_FALSE(is_held(parts));
  CHECK(parts.events() ==
        std::vector<std::string>{
            "ReleaseRefused Pod/mnist-worker-0: the finalizer exit-codes.kubeflow.org/verdict "
            "cannot be removed, tried again later: 403 Forbidden: denied by a webhook"});
  CHECK(parts.metrics.text().find("tfjob_enforcer_releases_refused_total 1") != std::string::npos);
}

TEST_CASE("A pod that the operator made again is removed, by its uid", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.code = 139}));
  parts.vanish(pod({.code = 139}));
  parts.show(pod({.uid = "pod-2", .phase = "Pending", .code = std::nullopt}));
  parts.show(pod({.name = "mnist-worker-1",
                  .uid = "pod-3",
                  .index = "1",
                  .phase = "Running",
                  .code = std::nullopt}));
  enforcer::Reconciler reconciler(parts.parts());
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(parts.cluster.get(pod_path()).is_null());
  CHECK_FALSE(parts.cluster.get(pod_path("mnist-worker-1")).is_null());
  const auto deletions = parts.cluster.requests("DELETE");
  REQUIRE(deletions.size() == 1);
  CHECK(json::parse(deletions[0].body)["preconditions"] == json{{"uid", "pod-2"}});
}

TEST_CASE("After a restart what was failed before is known again", "[enforcer][reconciler]") {
  Parts parts;
  parts.cluster.put(job_path(), job());
  parts.show(pod({.code = 139, .held = true}));
  {
    enforcer::Reconciler first(parts.parts());
    REQUIRE(first.reconcile(tfjob_ref()));
  }
  Parts later;
  later.cluster.put(job_path(), parts.cluster.get(job_path()));
  later.show(parts.cluster.get(pod_path()));
  enforcer::Reconciler second(later.parts());
  REQUIRE(second.reconcile(tfjob_ref()));
  CHECK(later.cluster.requests("PATCH", "/status").empty());
  CHECK(later.events().empty());
  REQUIRE(later.failed.find("job-1"));
  CHECK(later.failed.find("job-1")->pod == "mnist-worker-0");
}

TEST_CASE("Under dry run nothing is written but Events", "[enforcer][reconciler]") {
  Parts parts(true);
  parts.cluster.put(job_path(), job());
  enforcer::Reconciler reconciler(parts.parts());
  parts.show(pod({.uid = "a", .max_retries = 1, .code = 143}));
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  parts.show(pod({.uid = "b", .max_retries = 1, .code = 143}));
  REQUIRE(reconciler.reconcile(tfjob_ref()));
  CHECK(parts.cluster.requests("PATCH").empty());
  CHECK(failed_condition(parts).is_null());
  const auto events = parts.events();
  REQUIRE(events.size() == 2);
  CHECK(events[1].starts_with("MaxRetriesExceeded TFJob/mnist: dry run: pod mnist-worker-0 ended"));
  CHECK(parts.metrics.text().find(R"(action="would_fail")") != std::string::npos);
}
