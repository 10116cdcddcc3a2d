#include "kube/path.h"

#include "tests/support/catch.h"

TEST_CASE("Paths are those of the Kubernetes API", "[kube][path]") {
  CHECK(kube::path_of(kube::kPods, "") == "/api/v1/pods");
  CHECK(kube::path_of(kube::kPods, "team-a") == "/api/v1/namespaces/team-a/pods");
  CHECK(kube::path_of(kube::kLeases, "kube-system", "x") ==
        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x");
  CHECK(kube::path_of({.group = "kubeflow.org", .version = "v1", .plural = "tfjobs"}, "a", "b",
                      "status") == "/apis/kubeflow.org/v1/namespaces/a/tfjobs/b/status");
}

TEST_CASE("A name cannot leave its place in a path", "[kube][path]") {
  CHECK(kube::path_of(kube::kPods, "a/../b", "c?d") == "/api/v1/namespaces/a%2F..%2Fb/pods/c%3Fd");
}

TEST_CASE("A query is encoded, and what is empty left out", "[kube][path]") {
  CHECK(kube::with_query("/p", {{"labelSelector", "a/b=c"}, {"limit", "5"}, {"continue", ""}}) ==
        "/p?labelSelector=a%2Fb%3Dc&limit=5");
  CHECK(kube::with_query("/p", {{"continue", ""}}) == "/p");
}
