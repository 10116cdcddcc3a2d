#include "kube/in_cluster.h"

#include "tests/kube/environment.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

using kube_test::Variable;

TEST_CASE("A pod's own account is used", "[kube][in_cluster]") {
  const support::TemporaryDirectory folder;
  const Variable host("KUBERNETES_SERVICE_HOST", GENERATE("10.0.0.1", "fd00::1"));
  const Variable port("KUBERNETES_SERVICE_PORT", "6443");
  folder.write("ca.crt", "PEM");
  folder.write("token", "secret\n");
  folder.write("namespace", "kubeflow\n");

  const auto credentials = kube::in_cluster(folder.path());
  REQUIRE(credentials);
  REQUIRE(*credentials);
  CHECK((*credentials)->host == std::getenv("KUBERNETES_SERVICE_HOST"));
  CHECK((*credentials)->port == 6443);
  CHECK((*credentials)->ca == "PEM");
  CHECK((*credentials)->token_file == folder.path() / "token");
  CHECK((*credentials)->name_space == "kubeflow");
}

TEST_CASE("Outside a pod there is no account", "[kube][in_cluster]") {
  const Variable host("KUBERNETES_SERVICE_HOST", nullptr);
  const auto credentials = kube::in_cluster("/nowhere");
  REQUIRE(credentials);
  CHECK_FALSE(*credentials);
}

TEST_CASE("What a pod lacks is named", "[kube][in_cluster]") {
  const support::TemporaryDirectory folder;
  const Variable host("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  const Variable port("KUBERNETES_SERVICE_PORT", "443");
  const auto no_ca = kube::in_cluster(folder.path());
  REQUIRE_FALSE(no_ca);
  CHECK(no_ca.error().find((folder.path() / "ca.crt").string()) != std::string::npos);

  folder.write("ca.crt", "PEM");
  const auto no_token = kube::in_cluster(folder.path());
  REQUIRE_FALSE(no_token);
  CHECK(no_token.error().find((folder.path() / "token").string()) != std::string::npos);
  CHECK(no_token.error().ends_with(": the pod needs automountServiceAccountToken: true"));
}
