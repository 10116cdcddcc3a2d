#include "enforcer/job_lists.h"

#include "kube/path.h"

namespace enforcer {
namespace {

using nlohmann::json;

constexpr const char* kPage = "100";

}  // namespace

std::expected<void, kube::Error> for_each_object(
    kube::Api& api, const std::string& path, const std::string& label_selector,
    const std::function<void(const json&)>& on_object) {
  std::string next;
  do {
    const auto answer = api.send(
        {.path = kube::with_query(
             path, {{"labelSelector", label_selector}, {"limit", kPage}, {"continue", next}})});
    if (!answer) {
      if (answer.error().is_not_found()) return {};
      return std::unexpected(answer.error());
    }
    const json page = json::parse(*answer, nullptr, false);
    if (!page.is_object() || !page.contains("items")) {
      return std::unexpected(kube::Error{.message = "a list cannot be read"});
    }
    for (const json& item : page["items"]) on_object(item);
    next = page.value("metadata", json::object()).value("continue", std::string());
  } while (!next.empty());
  return {};
}

std::expected<void, kube::Error> for_each_job(kube::Api& api, const JobKind& kind,
                                              const std::string& name_space,
                                              const std::function<void(const json&)>& on_object) {
  return for_each_object(api, kube::path_of(kind.resource, name_space), {}, on_object);
}

}  // namespace enforcer
