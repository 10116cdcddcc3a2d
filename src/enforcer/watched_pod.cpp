#include "enforcer/watched_pod.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "exit_codes/annotation.h"
#include "exit_codes/pod_json.h"
#include "kube/event.h"
#include "kube/json.h"

namespace enforcer {
namespace {

using kube::text_at;
using nlohmann::json;

/// The list or object at `key` of `object`, else an empty one.
const json& field(const json& object, const char* key, json::value_t type) {
  static const json no_list = json::array();
  static const json no_object = json::object();
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found != object.end() && found->type() == type) return *found;
  return type == json::value_t::array ? no_list : no_object;
}

const json& object_at(const json& object, const char* key) {
  return field(object, key, json::value_t::object);
}
const json& list_at(const json& object, const char* key) {
  return field(object, key, json::value_t::array);
}
std::int64_t number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::optional<JobRef> owner_of(const json& metadata) {
  for (const json& owner : list_at(metadata, "ownerReferences")) {
    const auto controller = owner.find("controller");
    if (controller == owner.end() || *controller != true) continue;
    const JobKind* const kind = find_job_kind(text_at(owner, "apiVersion"), text_at(owner, "kind"));
    if (kind == nullptr) return std::nullopt;
    return JobRef{.kind = kind,
                  .name_space = text_at(metadata, "namespace"),
                  .name = text_at(owner, "name"),
                  .uid = text_at(owner, "uid")};
  }
  return std::nullopt;
}

/// Whether a failed pod that is being deleted ended before that. Times are whole seconds, and the
/// operator deletes a failed pod within the second: where both fall into one, what the watch has
/// shown, or else what the kubelet had seen of the object when it told of the end, decides.
bool ended_first(const exit_codes::Pod& pod, std::string_view container, const json& object,
                 const WatchedPod* before) {
  const exit_codes::Terminated* const end = end_of_container(pod, container);
  if (end == nullptr || !end->finished_at || !pod.deletion_timestamp) return false;
  const std::int64_t deleted = *pod.deletion_timestamp - pod.deletion_grace_period;
  if (*end->finished_at != deleted) return *end->finished_at < deleted;
  if (before != nullptr && before->deleting) return false;
  // A deletion is a new generation (Kubernetes 1.33 and later).
  const std::int64_t observed = number_at(object_at(object, "status"), "observedGeneration");
  return observed > 0 && observed < number_at(object_at(object, "metadata"), "generation");
}

/// What the job's container, or else the pod, says of its end.
std::string message_of(const json& status, std::string_view container) {
  for (const json& item : list_at(status, "containerStatuses")) {
    if (text_at(item, "name") != container) continue;
    const std::string message =
        text_at(object_at(object_at(item, "state"), "terminated"), "message");
    if (!message.empty()) return std::string(kube::cut(message, kMaxTerminationMessage));
  }
  return std::string(kube::cut(text_at(status, "message"), kMaxTerminationMessage));
}

std::shared_ptr<const PodEnd> end_of(const json& object, const WatchedPod& pod,
                                     const WatchedPod* before) {
  // What was seen before its deletion stays as it was seen.
  if (before != nullptr && before->end) return before->end;
  auto decoded =
      exit_codes::decode_pod(object.dump(-1, ' ', false, json::error_handler_t::replace));
  auto* const read = std::get_if<exit_codes::Pod>(&decoded);
  if (read == nullptr) return nullptr;
  const std::string_view container = pod.job.kind->kind->container;
  if (read->deletion_timestamp && ended_first(*read, container, object, before)) {
    read->deletion_timestamp.reset();
  }
  std::uint64_t version = 0;
  const std::string text = text_at(object_at(object, "metadata"), "resourceVersion");
  std::from_chars(text.data(), text.data() + text.size(), version);
  return std::make_shared<const PodEnd>(
      PodEnd{.pod = std::move(*read),
             .message = message_of(object_at(object, "status"), container),
             .version = version,
             .seen_at = std::chrono::steady_clock::now()});
}

}  // namespace

const exit_codes::Terminated* end_of_container(const exit_codes::Pod& pod, std::string_view name) {
  for (const exit_codes::Container& container : pod.containers) {
    if (container.name == name && container.terminated) return &*container.terminated;
  }
  return nullptr;
}

std::shared_ptr<const std::string> interned(const std::string& text) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const std::string>, std::less<>> known;
  const std::lock_guard lock(mutex);
  if (auto shared = known[text].lock()) return shared;
  std::erase_if(known, [](const auto& item) { return item.second.expired(); });
  auto shared = std::make_shared<const std::string>(text);
  known[text] = shared;
  return shared;
}

std::optional<WatchedPod> read_pod(const json& object, const WatchedPod* before) {
  const json& metadata = object_at(object, "metadata");
  const json& finalizers = list_at(metadata, "finalizers");
  const bool held =
      std::ranges::find(finalizers, json(exit_codes::kVerdictFinalizer)) != finalizers.end();
  auto job = owner_of(metadata);
  if (!job) {
    if (!held) return std::nullopt;
    job = JobRef{.kind = nullptr,
                 .name_space = text_at(metadata, "namespace"),
                 .name = text_at(metadata, "name"),
                 .uid = text_at(metadata, "uid")};
  }
  const json& labels = object_at(metadata, "labels");
  const json& status = object_at(object, "status");
  const std::string phase = text_at(status, "phase");

  WatchedPod pod;
  pod.job = std::move(*job);
  pod.name = text_at(metadata, "name");
  pod.uid = text_at(metadata, "uid");
  pod.created = text_at(metadata, "creationTimestamp");
  pod.replica_type = text_at(labels, kReplicaTypeLabel);
  pod.replica_index = text_at(labels, kReplicaIndexLabel);
  const std::string table = text_at(object_at(metadata, "annotations"),
                                    std::string(exit_codes::kTableAnnotation).c_str());
  if (!table.empty()) pod.table = interned(table);
  if (phase == "Succeeded") pod.phase = WatchedPod::Phase::succeeded;
  if (phase == "Failed") pod.phase = WatchedPod::Phase::failed;
  pod.running = phase == "Running";
  pod.deleting = !text_at(metadata, "deletionTimestamp").empty();
  pod.held = held;
  if (pod.phase == WatchedPod::Phase::failed && pod.job.kind != nullptr) {
    const bool same = before != nullptr && before->uid == pod.uid;
    pod.end = end_of(object, pod, same ? before : nullptr);
  }
  return pod;
}

}  // namespace enforcer
