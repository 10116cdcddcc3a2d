#include "enforcer/release_all.h"

#include <vector>

#include <nlohmann/json.hpp>

#include "admission/patch.h"
#include "enforcer/job_lists.h"
#include "enforcer/release.h"
#include "kube/path.h"

namespace enforcer {
namespace {

using nlohmann::json;

struct Target {
  std::string name_space;
  std::string name;
  std::string uid;
  json patch;
};

Target target_of(const json& object) {
  const json metadata = object.value("metadata", json::object());
  return {.name_space = metadata.value("namespace", std::string()),
          .name = metadata.value("name", std::string()),
          .uid = metadata.value("uid", std::string()),
          .patch = json::array()};
}

json finalizers_of(const json& object) {
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return {};
  return metadata->value("finalizers", json());
}

/// What takes the finalizer off all templates of a job.
json template_patch(const JobKind& kind, const json& job) {
  json patch = json::array();
  const std::string field(kind.kind->specs_field);
  const json specs = job.value("spec", json::object()).value(field, json::object());
  if (!specs.is_object()) return patch;
  for (const auto& [type, replica] : specs.items()) {
    if (!replica.is_object() || !replica.contains("template")) continue;
    const std::string holder =
        "/spec/" + field + "/" + admission::escape_pointer(type) + "/template";
    for (json& operation : release_operations(holder, finalizers_of(replica["template"]))) {
      patch.push_back(std::move(operation));
    }
  }
  return patch;
}

class Releaser {
 public:
  Releaser(kube::Api& api, const std::string& name_space,
           const std::function<void(const std::string&)>& say)
      : api_(api), name_space_(name_space), say_(say) {}

  void release_templates(const JobKind& kind) {
    std::vector<Target> targets;
    const auto listed = for_each_job(api_, kind, name_space_, [&](const json& job) {
      Target target = target_of(job);
      target.patch = template_patch(kind, job);
      if (!target.patch.empty()) targets.push_back(std::move(target));
    });
    const std::string name(kind.kind->name);
    if (!listed) fail("list of " + name + "s", listed.error());
    for (const Target& target : targets) {
      const auto patched =
          api_.send({.method = "PATCH",
                     .path = kube::path_of(kind.resource, target.name_space, target.name),
                     .body = target.patch.dump(),
                     .content_type = std::string(kube::kJsonPatch)});
      const std::string title = name + " " + target.name_space + "/" + target.name;
      if (!patched && !patched.error().is_not_found()) {
        fail(title, patched.error());
      } else if (patched) {
        ++released_.jobs;
        say_(title + ": its new pods are not held any more");
      }
    }
  }

  void release_pods() {
    std::vector<Target> targets;
    const auto listed =
        for_each_object(api_, kube::path_of(kube::kPods, name_space_), {}, [&](const json& pod) {
          if (!release_operations("", finalizers_of(pod)).empty())
            targets.push_back(target_of(pod));
        });
    if (!listed) fail("list of pods", listed.error());
    for (const Target& target : targets) {
      const auto done = release_pod(api_, target.name_space, target.name, target.uid);
      const std::string title = "pod " + target.name_space + "/" + target.name;
      if (!done) {
        fail(title, done.error());
      } else {
        ++released_.pods;
        say_(title + ": released");
      }
    }
  }

  [[nodiscard]] const Released& released() const noexcept { return released_; }

 private:
  void fail(const std::string& title, const kube::Error& error) {
    ++released_.failures;
    say_(title + ": " + kube::to_string(error));
  }

  kube::Api& api_;
  const std::string& name_space_;
  const std::function<void(const std::string&)>& say_;
  Released released_;
};

}  // namespace

Released release_all(kube::Api& api, const std::string& name_space,
                     const std::function<void(const std::string&)>& say) {
  Releaser releaser(api, name_space, say);
  for (const JobKind& kind : job_kinds()) releaser.release_templates(kind);
  releaser.release_pods();
  return releaser.released();
}

}  // namespace enforcer
