#include "enforcer/release.h"

#include "enforcer/release_all.h"
#include "tests/enforcer/objects.h"
#include "tests/support/catch.h"
#include "tests/support/fake_cluster.h"

using enforcer_test::job_path;
using enforcer_test::pod_path;
using nlohmann::json;
using support::FakeCluster;

namespace {

const std::string kOurs = "exit-codes.kubeflow.org/verdict";

json with_finalizers(const json& names) {
  return {{"metadata", {{"uid", "u"}, {"finalizers", names}}}};
}

json finalizers_of(const FakeCluster& cluster, const std::string& path) {
  return cluster.get(path)["metadata"]["finalizers"];
}

}  // namespace

TEST_CASE("One entry of a list is taken away, wherever it is", "[enforcer][release]") {
  CHECK(enforcer::release_operations("", {"a", kOurs, "b"}) ==
        json{{{"op", "test"}, {"path", "/metadata/finalizers/1"}, {"value", kOurs}},
             {{"op", "remove"}, {"path", "/metadata/finalizers/1"}}});
  CHECK(enforcer::release_operations("/spec/x/template", {kOurs})[1]["path"] ==
        "/spec/x/template/metadata/finalizers/0");
  CHECK(enforcer::release_operations("", {"a"}).empty());
  CHECK(enforcer::release_operations("", nullptr).empty());
}

TEST_CASE("A pod is released, and others' finalizers stay", "[enforcer][release]") {
  FakeCluster cluster;
  cluster.put(pod_path("p"), with_finalizers({"a/b", kOurs, "c/d"}));
  CHECK(enforcer::release_pod(cluster, "team", "p", "u"));
  CHECK(finalizers_of(cluster, pod_path("p")) == json{"a/b", "c/d"});
}

TEST_CASE("What is gone, another pod, or free needs no release", "[enforcer][release]") {
  FakeCluster cluster;
  CHECK(enforcer::release_pod(cluster, "team", "p", "u"));
  cluster.put(pod_path("p"), with_finalizers({kOurs}));
  CHECK(enforcer::release_pod(cluster, "team", "p", "another"));
  CHECK(finalizers_of(cluster, pod_path("p")) == json{kOurs});
  cluster.put(pod_path("p"), with_finalizers({"a/b"}));
  CHECK(enforcer::release_pod(cluster, "team", "p", "u"));
  CHECK(cluster.requests("PATCH").empty());
}

TEST_CASE("A list that changes meanwhile is read again", "[enforcer][release]") {
  FakeCluster cluster;
  cluster.put(pod_path("p"), with_finalizers({"a/b", kOurs}));
  bool first = true;
  cluster.before_each_call([&](const kube::Request& request) {
    if (request.method != "PATCH" || !first) return;
    first = false;
    cluster.put(pod_path("p"), with_finalizers({kOurs, "c/d"}));
  });
  CHECK(enforcer::release_pod(cluster, "team", "p", "u"));
  CHECK(finalizers_of(cluster, pod_path("p")) == json{"c/d"});
}

TEST_CASE("A refusal is handed on", "[enforcer][release]") {
  FakeCluster cluster;
  cluster.put(pod_path("p"), with_finalizers({kOurs}));
  cluster.fail("PATCH", "/pods/p", {.status = 403, .message = "denied by a webhook"});
  const auto refused = enforcer::release_pod(cluster, "team", "p", "u");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "denied by a webhook");
  CHECK(cluster.requests("PATCH").size() == 1);
}

TEST_CASE("release-all frees templates, then pods, of all namespaces", "[enforcer][release_all]") {
  FakeCluster cluster;
  json job = enforcer_test::job();
  job["spec"]["tfReplicaSpecs"]["Worker"]["template"] = with_finalizers({"a/b", kOurs});
  cluster.put(job_path(), job);
  cluster.put(
      "/apis/kubeflow.org/v1/namespaces/b/pytorchjobs/p",
      {{"spec",
        {{"pytorchReplicaSpecs", {{"Master", {{"template", with_finalizers({kOurs})}}}}}}}});
  cluster.put(job_path("free"), enforcer_test::job());
  for (int i = 0; i < 250; ++i) {
    cluster.put("/api/v1/namespaces/n" + std::to_string(i % 3) + "/pods/p" + std::to_string(i),
                with_finalizers({"a/b", kOurs}));
  }
  cluster.put(pod_path("free"), with_finalizers({"a/b"}));

  std::vector<std::string> lines;
  const auto say = [&lines](const std::string& line) { lines.push_back(line); };
  const auto released = enforcer::release_all(cluster, "", say);
  CHECK(released.jobs == 2);
  CHECK(released.pods == 250);
  CHECK(released.failures == 0);
  CHECK(lines.at(0) == "TFJob team/mnist: its new pods are not held any more");
  CHECK(lines.at(2).starts_with("pod n0/p"));
  CHECK(lines.at(2).ends_with(": released"));
  CHECK(cluster.get(
            job_path())["spec"]["tfReplicaSpecs"]["Worker"]["template"]["metadata"]["finalizers"] ==
        json{"a/b"});
  for (const json& pod : cluster.all("/api/v1/pods")) {
    CHECK(pod["metadata"]["finalizers"] == json{"a/b"});
  }

  const auto again = enforcer::release_all(cluster, "", say);
  CHECK(again.jobs + again.pods + again.failures == 0);
}

TEST_CASE("release-all keeps to one namespace, and goes on after a refusal",
          "[enforcer][release_all]") {
  FakeCluster cluster;
  cluster.put(pod_path("a"), with_finalizers({kOurs}));
  cluster.put(pod_path("b"), with_finalizers({kOurs}));
  cluster.put("/api/v1/namespaces/other/pods/c", with_finalizers({kOurs}));
  cluster.fail("PATCH", "/pods/a", {.status = 403, .reason = "Forbidden", .message = "no"});
  cluster.fail("GET", "/jaxjobs", {.status = 500, .message = "broken"});
  std::vector<std::string> lines;
  const auto released = enforcer::release_all(
      cluster, "team", [&lines](const std::string& line) { lines.push_back(line); });
  CHECK(released.pods == 1);
  CHECK(released.failures == 2);
  CHECK(lines == std::vector<std::string>{"list of JAXJobs: 500: broken",
                                          "pod team/a: 403 Forbidden: no", "pod team/b: released"});
  CHECK(finalizers_of(cluster, "/api/v1/namespaces/other/pods/c") == json{kOurs});
}
