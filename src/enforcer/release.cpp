#include "enforcer/release.h"

#include <algorithm>
#include <string_view>

#include "exit_codes/annotation.h"
#include "kube/path.h"

namespace enforcer {
namespace {

using nlohmann::json;

/// Others change a pod's finalizers at the same time, but not this often.
constexpr int kPatchAttempts = 5;
constexpr int kUnprocessable = 422;

}  // namespace

json release_operations(const std::string& holder, const json& finalizers) {
  json patch = json::array();
  if (!finalizers.is_array()) return patch;
  const json ours(exit_codes::kVerdictFinalizer);
  const auto found = std::ranges::find(finalizers, ours);
  if (found == finalizers.end()) return patch;
  const std::string path =
      holder + "/metadata/finalizers/" + std::to_string(found - finalizers.begin());
  patch.push_back({{"op", "test"}, {"path", path}, {"value", ours}});
  patch.push_back({{"op", "remove"}, {"path", path}});
  return patch;
}

std::expected<void, kube::Error> release_pod(kube::Api& api, const std::string& name_space,
                                             const std::string& name, const std::string& uid) {
  const std::string path = kube::path_of(kube::kPods, name_space, name);
  kube::Error error;
  for (int attempt = 0; attempt < kPatchAttempts; ++attempt) {
    const auto answer = api.send({.path = path});
    if (!answer) {
      if (answer.error().is_not_found()) return {};
      return std::unexpected(answer.error());
    }
    const json pod = json::parse(*answer, nullptr, false);
    if (!pod.is_object() || !pod.contains("metadata")) {
      return std::unexpected(kube::Error{.message = "the pod cannot be read"});
    }
    const json& metadata = pod["metadata"];
    json patch = release_operations("", metadata.value("finalizers", json()));
    if (patch.empty() || metadata.value("uid", std::string()) != uid) return {};
    const json same_pod{{"op", "test"}, {"path", "/metadata/uid"}, {"value", uid}};
    patch.insert(patch.begin(), same_pod);
    const auto patched = api.send({.method = "PATCH",
                                   .path = path,
                                   .body = patch.dump(),
                                   .content_type = std::string(kube::kJsonPatch)});
    if (patched || patched.error().is_not_found()) return {};
    error = patched.error();
    // The list has changed, or the pod has.
    if (error.status != kUnprocessable && !error.is_conflict()) break;
  }
  return std::unexpected(error);
}

}  // namespace enforcer
