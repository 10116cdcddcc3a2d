#include "tests/bench/reviews.h"

#include <algorithm>

#include "tests/support/review.h"

namespace bench {
namespace {

using nlohmann::ordered_json;

constexpr const char* kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
// The API server takes no object with more than 256 KiB of annotations.
constexpr std::size_t kMaxLastApplied = std::size_t{180} * 1024;

ordered_json job() {
  return ordered_json::parse(R"({
    "apiVersion": "kubeflow.org/v1", "kind": "TFJob",
    "metadata": {"name": "mnist", "namespace": "default",
      "uid": "5c2b4e9a-7a63-4f1e-9f0e-0d8b6f0c8d11", "generation": 1,
      "creationTimestamp": "2026-12-01T08:00:00Z",
      "annotations": {"kubectl.kubernetes.io/last-applied-configuration": ""},
      "managedFields": [{"manager": "kubectl-client-side-apply", "operation": "Update",
        "apiVersion": "kubeflow.org/v1", "time": "2026-12-01T08:00:00Z", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {".": {}, "f:tfReplicaSpecs": {".": {}, "f:Chief": {}, "f:Worker": {}}}}}]},
    "spec": {"runPolicy": {"cleanPodPolicy": "None"}, "tfReplicaSpecs": {
      "Chief": {"replicas": 1, "restartPolicy": "Never", "template": {"spec": {"containers": [
        {"name": "tensorflow", "image": "registry.example.com/mnist:1"}]}}},
      "Worker": {"replicas": 4, "restartPolicy": "ExitCode", "template": {"spec": {"containers": [
        {"name": "tensorflow", "image": "registry.example.com/mnist:1",
         "command": ["python", "train.py"]}]}}}}}})");
}

}  // namespace

std::string review_of(const ordered_json& job) { return support::make_review(job).dump(); }

std::string review_of_size(std::size_t size) {
  ordered_json object = job();
  auto& env =
      object["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]["env"];
  const auto setting = [](std::size_t index) {
    return ordered_json{{"name", "SETTING_" + std::to_string(index)},
                        {"value", "some value of a setting"}};
  };
  env = ordered_json::array();
  // The last applied configuration has the settings again, as text: as much as it may hold of them.
  const std::size_t as_text = std::min(size / 2, kMaxLastApplied);
  const std::size_t settings = (size - as_text) / (setting(1000).dump().size() + 1);
  for (std::size_t i = 0; i < settings; ++i) env.push_back(setting(i));
  const std::size_t now = review_of(object).size();
  auto& last = object["metadata"]["annotations"][kLastApplied].get_ref<std::string&>();
  const std::string item = setting(0).dump();
  while (now + last.size() * 4 / 3 + item.size() < size) last += item;
  const std::size_t almost = review_of(object).size();
  last += std::string(size - std::min(size, almost), 'x');
  return review_of(object);
}

}  // namespace bench
