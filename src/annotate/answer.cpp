#include "annotate/answer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "admission/decide.h"
#include "admission/review.h"

namespace annotate {
namespace {

using Json = nlohmann::ordered_json;

struct ApiVersion {
  std::string group;
  std::string version;
};

ApiVersion split(const std::string& api_version) {
  const std::size_t slash = api_version.find('/');
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

/// The review of the creation of `job`, with the spare bytes that its reader needs.
std::string review_of(const sources::Job& job) {
  const auto [group, version] = split(job.api_version);
  const Json request = {{"uid", "offline"},
                        {"kind", {{"group", group}, {"version", version}, {"kind", job.kind_name}}},
                        {"name", job.name},
                        {"namespace", job.name_space},
                        {"operation", "CREATE"}};
  std::string text = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":)" +
                     request.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  return text + ",\"object\":" + job.json + "}}";
}

}  // namespace

Answer ask(const sources::Job& job, const admission::Settings& settings) {
  std::string text = review_of(job);
  const std::size_t size = text.size();
  text.resize(size + admission::kReviewPadding);
  admission::ReviewReader reader;
  const auto review = reader.read(std::string_view(text).substr(0, size));
  // What we have written ourselves can be read.
  if (!review) return {};
  admission::Decision decision = admission::decide(*review, admission::Endpoint::mutate, settings);
  return {.denied = !decision.allowed(),
          .findings = std::move(decision.findings),
          .patch = std::move(decision.patch)};
}

std::vector<Change> changes_of(const sources::Job& job,
                               const std::vector<admission::PatchOperation>& patch) {
  std::vector<Change> changes;
  changes.reserve(patch.size());
  for (const admission::PatchOperation& operation : patch) {
    Change change{.job = &job, .path = {}, .value = operation.value.value_or("")};
    for (Json::json_pointer path(operation.path); !path.empty(); path.pop_back()) {
      change.path.push_back(path.back());
    }
    std::ranges::reverse(change.path);
    changes.push_back(std::move(change));
  }
  return changes;
}

std::string to_kustomize(const sources::Job& job,
                         const std::vector<admission::PatchOperation>& patch) {
  const auto [group, version] = split(job.api_version);
  std::string out = "- target:\n    group: " + group + "\n    version: " + version +
                    "\n    kind: " + job.kind_name + "\n    name: " + Json(job.name).dump() + "\n";
  if (!job.name_space.empty()) out += "    namespace: " + Json(job.name_space).dump() + "\n";
  return out + "  patch: |-\n    " + admission::to_json(patch) + "\n";
}

}  // namespace annotate
