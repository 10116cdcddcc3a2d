#include "operators/operator.h"

#include <optional>
#include <string>
#include <string_view>

#include "tests/support/catch.h"

using operators::Behaviour;
using operators::find_operator;
using operators::Operator;
using operators::Response;

namespace {

const Operator& known(std::string_view name) {
  const auto found = find_operator(name);
  REQUIRE(found.has_value());
  return **found;
}

Behaviour behaviour(std::string_view which, std::string_view kind, std::string_view version) {
  const jobs::Kind* const row = jobs::find_kind("kubeflow.org", version, kind);
  REQUIRE(row != nullptr);
  const auto found = operators::behaviour_of(known(which), *row);
  REQUIRE(found.has_value());
  return *found;
}

std::string error_of(std::string_view name) { return find_operator(name).error(); }

}  // namespace

TEST_CASE("operators are found by version, patch versions too", "[operators][operator]") {
  CHECK(known("training-operator/1.9").name == "training-operator/1.9");
  CHECK(known("training-operator/1.9.3").name == "training-operator/1.9");
  CHECK(known("training-operator/v1.9.3").name == "training-operator/1.9");
  CHECK(known("training-operator/v1.8.0-rc.1").name == "training-operator/1.8");
  // Its releases 1.3 and 1.4 had the new name already.
  CHECK(known("training-operator/1.4").name == "tf-operator/1.4");
  CHECK(known(operators::kDefaultOperator).name == "training-operator/1.9");
}

TEST_CASE("of an unknown operator the nearest is named, and all that are known",
          "[operators][operator]") {
  CHECK(error_of("tf-operator/1.5")
            .starts_with("'tf-operator/1.5' is not known: did you mean 'tf-operator/1.4'? There "
                         "are tf-operator/0.2, tf-operator/0.3, "));
  CHECK(error_of("operator").starts_with("'operator' is not known: There are tf-operator/0.2, "));
  CHECK(error_of("training-operator/1.9.x").starts_with("'training-operator/1.9.x' is not known"));
  CHECK(error_of("").ends_with("training-operator/1.9"));
}

TEST_CASE("the table of pull request 518 was in tf-operator 0.2 to 1.4", "[operators][operator]") {
  for (const std::string_view which : {"tf-operator/0.5", "tf-operator/1.0", "tf-operator/1.4"}) {
    const Behaviour tfjob = behaviour(which, "TFJob", "v1");
    for (const int code : {130, 137, 138, 143}) CHECK(tfjob.on_code(code) == Response::retries);
    for (const int code : {1, 42, 127, 128, 134, 139, 255, 0}) {
      CHECK(tfjob.on_code(code) == Response::fails);
    }
    CHECK(tfjob.over_255 == Response::fails);
    CHECK(tfjob.no_exit_code == Response::fails);
  }
}

TEST_CASE("training-operator retries everything from 128 up", "[operators][operator]") {
  for (const std::string_view which :
       {"training-operator/1.5", "training-operator/1.8", "training-operator/1.9"}) {
    const Behaviour tfjob = behaviour(which, "TFJob", "v1");
    for (const int code : {128, 134, 137, 139, 143, 255, 256}) {
      CHECK(tfjob.on_code(code) == Response::retries);
    }
    for (const int code : {0, 1, 42, 127}) CHECK(tfjob.on_code(code) == Response::fails);
    CHECK(tfjob.no_exit_code == Response::retries);
    CHECK_FALSE(tfjob.reads_oom_killed);
  }
  CHECK(behaviour("training-operator/1.9", "JAXJob", "v1").on_code(139) == Response::retries);
}

TEST_CASE("a Running pod that is deleted fails a TFJob from 1.7 on, and no other kind",
          "[operators][operator]") {
  CHECK(behaviour("training-operator/1.9", "TFJob", "v1").deleted == Response::fails);
  CHECK(behaviour("training-operator/1.7", "TFJob", "v1").deleted == Response::fails);
  CHECK(behaviour("training-operator/1.6", "TFJob", "v1").deleted == Response::by_code);
  CHECK(behaviour("training-operator/1.9", "PyTorchJob", "v1").deleted == Response::by_code);
}

TEST_CASE("up to 1.7 other kinds than TFJob hang on a code that is not retried",
          "[operators][operator]") {
  CHECK(behaviour("training-operator/1.7", "PyTorchJob", "v1").on_code(1) == Response::hangs);
  CHECK(behaviour("training-operator/1.8", "PyTorchJob", "v1").on_code(1) == Response::fails);
}

TEST_CASE("under Always a pod that fails as a whole fails an XGBoostJob, and no TFJob",
          "[operators][operator]") {
  const Operator& latest = known("training-operator/1.9");
  CHECK(latest.find_service("TFJob", "v1")->recreates_failed);
  CHECK(latest.find_service("PyTorchJob", "v1")->recreates_failed);
  CHECK_FALSE(latest.find_service("XGBoostJob", "v1")->recreates_failed);
}

TEST_CASE("v1alpha1 reads the reason OOMKilled", "[operators][operator]") {
  const Behaviour old = behaviour("tf-operator/0.2", "TFJob", "v1alpha1");
  CHECK(old.reads_oom_killed);
  CHECK(old.no_exit_code == std::nullopt);
}

TEST_CASE("an operator has no behaviour for what it does not serve, or reads no codes of",
          "[operators][operator]") {
  const Operator& latest = known("training-operator/1.9");
  const jobs::Kind* const mxjob = jobs::find_kind("kubeflow.org", "v1", "MXJob");
  const jobs::Kind* const mpijob = jobs::find_kind("kubeflow.org", "v1", "MPIJob");
  REQUIRE(mxjob != nullptr);
  REQUIRE(mpijob != nullptr);
  CHECK_FALSE(operators::behaviour_of(latest, *mxjob));
  CHECK_FALSE(operators::behaviour_of(latest, *mpijob));
  CHECK(latest.find_service("MPIJob", "v1") != nullptr);
  CHECK(latest.find_service("TFJob", "v1beta2") == nullptr);
}

TEST_CASE("policies other than ExitCode are described as the operator acts on them",
          "[operators][operator]") {
  const Operator& latest = known("training-operator/1.9");
  const operators::Service* const tfjob = latest.find_service("TFJob", "v1");
  REQUIRE(tfjob != nullptr);
  CHECK(operators::describe_policy(latest, *tfjob, "Never") ==
        "no container is started again: a failed pod fails the job");
  CHECK(operators::describe_policy(latest, *tfjob, "Always") ==
        "the kubelet starts the container again however it ended, in the same pod; a pod that "
        "fails as a whole (evicted) is created anew; backoffLimit counts the restarts of running "
        "pods");
  const Operator& old = known("tf-operator/0.3");
  const operators::Service* const alpha = old.find_service("TFJob", "v1alpha2");
  REQUIRE(alpha != nullptr);
  CHECK(operators::describe_policy(old, *alpha, "OnFailure") ==
        "the kubelet starts the container again whatever its code, in the same pod; a pod that "
        "fails as a whole (evicted) fails the job; nothing limits the restarts");
}
