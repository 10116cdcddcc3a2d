#include "jobs/kind.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/catch.h"

TEST_CASE("every kind and version of the table is known", "[jobs][kind]") {
  const std::vector<std::pair<std::string_view, std::string_view>> rows{
      {"TFJob", "v1alpha1"}, {"TFJob", "v1alpha2"}, {"TFJob", "v1beta1"}, {"TFJob", "v1beta2"},
      {"TFJob", "v1"},       {"PyTorchJob", "v1"},  {"PaddleJob", "v1"},  {"XGBoostJob", "v1"},
      {"JAXJob", "v1"},      {"MXJob", "v1"},       {"MPIJob", "v1"},     {"MPIJob", "v2beta1"}};
  std::size_t known = 0;
  for (const jobs::Kind& kind : jobs::kinds()) known += kind.versions.size();
  CHECK(known == rows.size());
  for (const auto& [kind, version] : rows) {
    INFO(kind << " " << version);
    const jobs::Kind* const row = jobs::find_kind("kubeflow.org", version, kind);
    REQUIRE(row != nullptr);
    CHECK(row->name == kind);
  }
}

TEST_CASE("other groups, versions and kinds are not ours", "[jobs][kind]") {
  CHECK(jobs::find_kind("batch", "v1", "Job") == nullptr);
  CHECK(jobs::find_kind("batch", "v1", "TFJob") == nullptr);
  CHECK(jobs::find_kind("kubeflow.org", "v2", "TFJob") == nullptr);
  CHECK(jobs::find_kind("kubeflow.org", "v1beta1", "PyTorchJob") == nullptr);
  CHECK(jobs::find_kind("kubeflow.org", "v1", "tfjob") == nullptr);
  CHECK(jobs::find_kind("kubeflow.org", "v1", "Notebook") == nullptr);
  CHECK(jobs::find_kind("", "", "") == nullptr);
}

TEST_CASE("types are folded where the operator folds them", "[jobs][kind]") {
  const jobs::Kind& tfjob = *jobs::find_kind("kubeflow.org", "v1", "TFJob");
  CHECK(tfjob.find_type("WORKER")->name == "Worker");
  CHECK(tfjob.find_type("ps")->name == "PS");
  CHECK(tfjob.find_type("Workers") == nullptr);
  const jobs::Kind& old = *jobs::find_kind("kubeflow.org", "v1alpha1", "TFJob");
  CHECK(old.find_type("WORKER")->name == "WORKER");
  CHECK(old.find_type("Worker") == nullptr);
  const jobs::Kind& mpi = *jobs::find_kind("kubeflow.org", "v1", "MPIJob");
  CHECK(mpi.find_type("launcher") == nullptr);
}

TEST_CASE("default policies are the operators' own", "[jobs][kind]") {
  const auto default_of = [](std::string_view kind, std::string_view version,
                             std::string_view type) {
    return jobs::find_kind("kubeflow.org", version, kind)->find_type(type)->default_policy;
  };
  CHECK(default_of("TFJob", "v1", "Worker") == "Never");
  CHECK(default_of("TFJob", "v1alpha1", "WORKER").empty());
  CHECK(default_of("PyTorchJob", "v1", "Master") == "OnFailure");
  CHECK(default_of("PaddleJob", "v1", "Worker") == "OnFailure");
  CHECK(default_of("XGBoostJob", "v1", "Master") == "Never");
  CHECK(default_of("JAXJob", "v1", "Worker") == "Never");
  CHECK(default_of("MXJob", "v1", "TunerServer") == "Never");
  CHECK(default_of("MPIJob", "v1", "Launcher") == "Never");
  CHECK(default_of("MPIJob", "v2beta1", "Launcher") == "OnFailure");
  CHECK(default_of("MPIJob", "v2beta1", "Worker") == "Never");
}

TEST_CASE("each kind accepts its own policies", "[jobs][kind]") {
  for (const jobs::Kind& kind : jobs::kinds()) {
    INFO(kind.name << " " << kind.versions.front());
    const bool v1alpha1 = kind.layout == jobs::Layout::list;
    const bool v2beta1 = kind.versions.front() == "v2beta1";
    CHECK(kind.accepts("Never"));
    CHECK(kind.accepts("OnFailure"));
    CHECK(kind.accepts("Always") == !v2beta1);
    CHECK(kind.accepts("ExitCode") == (!v1alpha1 && !v2beta1));
    CHECK_FALSE(kind.accepts("never"));
    CHECK_FALSE(kind.accepts(""));
  }
}
