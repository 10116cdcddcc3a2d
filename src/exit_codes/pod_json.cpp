#include "exit_codes/pod_json.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace exit_codes {
namespace {

using nlohmann::json;

/// A field that is not what Kubernetes' API says; caught in `decode_pod`.
class WrongField : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Deeper than any Pod; keeps the reader from recursing without end.
constexpr int kMaxDepth = 200;

/// The field `key` of `object`, or null where it is absent or null.
const json* find(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

[[noreturn]] void fail(const std::string& path, const char* wanted) {
  throw WrongField(path + " must be " + wanted);
}

const json& object_at(const json& parent, const char* key, const std::string& path) {
  static const json empty = json::object();
  const json* const value = find(parent, key);
  if (value == nullptr) return empty;
  if (!value->is_object()) fail(path + key, "an object");
  return *value;
}

const json& list_at(const json& parent, const char* key, const std::string& path) {
  static const json empty = json::array();
  const json* const value = find(parent, key);
  if (value == nullptr) return empty;
  if (!value->is_array()) fail(path + key, "a list");
  for (const json& item : *value) {
    if (!item.is_object()) fail(path + key, "a list of objects");
  }
  return *value;
}

std::string string_at(const json& parent, const char* key, const std::string& path) {
  const json* const value = find(parent, key);
  if (value == nullptr) return {};
  if (!value->is_string()) fail(path + key, "a string");
  return value->get<std::string>();
}

std::optional<std::int64_t> integer_at(const json& parent, const char* key,
                                       const std::string& path) {
  const json* const value = find(parent, key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number_integer()) fail(path + key, "an integer");
  return value->get<std::int64_t>();
}

/// "2026-12-01T08:00:00Z", as metav1.Time is written, in seconds since the epoch.
std::optional<std::int64_t> parse_time(std::string_view text) {
  constexpr std::string_view kPattern = "0000-00-00T00:00:00Z";
  if (text.size() != kPattern.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kPattern[i] == '0' ? !digit : text[i] != kPattern[i]) return std::nullopt;
  }
  const auto number = [text](std::size_t begin, std::size_t size) {
    int value = 0;
    std::from_chars(text.data() + begin, text.data() + begin + size, value);
    return value;
  };
  const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2))));
  if (!day.ok()) return std::nullopt;
  const auto seconds = std::chrono::sys_days(day).time_since_epoch() +
                       std::chrono::hours(number(11, 2)) + std::chrono::minutes(number(14, 2)) +
                       std::chrono::seconds(number(17, 2));
  return std::chrono::duration_cast<std::chrono::seconds>(seconds).count();
}

std::optional<std::int64_t> time_at(const json& parent, const char* key, const std::string& path) {
  const std::string text = string_at(parent, key, path);
  if (text.empty()) return std::nullopt;
  const auto time = parse_time(text);
  if (!time) fail(path + key, "a time such as 2026-12-01T08:00:00Z");
  return time;
}

std::optional<Terminated> terminated_of(const json& status, const std::string& path) {
  const json& state = object_at(status, "state", path);
  const json* const value = find(state, "terminated");
  if (value == nullptr) return std::nullopt;
  const std::string here = path + "state.terminated.";
  if (!value->is_object()) fail(path + "state.terminated", "an object");
  return Terminated{.exit_code = integer_at(*value, "exitCode", here).value_or(0),
                    .reason = string_at(*value, "reason", here),
                    .finished_at = time_at(*value, "finishedAt", here)};
}

/// The containers that `spec_key` and `status_key` tell of.
std::vector<Container> containers_of(const json& spec, const char* spec_key, const json& status,
                                     const char* status_key) {
  std::vector<Container> containers;
  for (const json& item : list_at(spec, spec_key, "spec.")) {
    const std::string path = std::string("spec.") + spec_key + "[].";
    containers.push_back({.name = string_at(item, "name", path),
                          .terminated = std::nullopt,
                          .restartable = string_at(item, "restartPolicy", path) == "Always"});
  }
  for (const json& item : list_at(status, status_key, "status.")) {
    const std::string path = std::string("status.") + status_key + "[].";
    const std::string name = string_at(item, "name", path);
    auto found = std::ranges::find(containers, name, &Container::name);
    if (found == containers.end()) {
      found = containers.insert(containers.end(),
                                {.name = name, .terminated = std::nullopt, .restartable = false});
    }
    found->terminated = terminated_of(item, path);
  }
  return containers;
}

Pod pod_of(const json& root) {
  const json& metadata = object_at(root, "metadata", "");
  const json& spec = object_at(root, "spec", "");
  const json& status = object_at(root, "status", "");
  Pod pod;
  pod.succeeded = string_at(status, "phase", "status.") == "Succeeded";
  pod.reason = string_at(status, "reason", "status.");
  for (const json& condition : list_at(status, "conditions", "status.")) {
    if (string_at(condition, "type", "status.conditions[].") == "DisruptionTarget") {
      pod.disruption_target = string_at(condition, "status", "status.conditions[].") == "True";
    }
  }
  pod.deletion_timestamp = time_at(metadata, "deletionTimestamp", "metadata.");
  pod.deletion_grace_period =
      integer_at(metadata, "deletionGracePeriodSeconds", "metadata.").value_or(0);
  pod.init_containers = containers_of(spec, "initContainers", status, "initContainerStatuses");
  pod.containers = containers_of(spec, "containers", status, "containerStatuses");
  return pod;
}

}  // namespace

std::variant<Pod, DecodeError> decode_pod(std::string_view json_text) {
  bool too_deep = false;
  const json root = json::parse(
      json_text,
      [&too_deep](int depth, json::parse_event_t, json&) {
        too_deep |= depth > kMaxDepth;
        return !too_deep;
      },
      false);
  if (too_deep) return DecodeError{"the pod is nested too deeply"};
  if (root.is_discarded()) return DecodeError{"the pod is no JSON"};
  if (!root.is_object()) return DecodeError{"the pod is no JSON object"};
  try {
    return pod_of(root);
  } catch (const WrongField& error) {
    return DecodeError{error.what()};
  }
}

std::variant<Table, DecodeError> read_table(std::string_view pod_annotation,
                                            std::string_view job_annotation) {
  std::string why = "neither the pod nor its job has a table";
  for (const std::string_view annotation : {pod_annotation, job_annotation}) {
    if (annotation.empty()) continue;
    auto decoded = decode(annotation);
    if (auto* const table = std::get_if<Table>(&decoded)) return std::move(*table);
    why = std::get<DecodeError>(decoded).message;
  }
  return DecodeError{std::move(why)};
}

}  // namespace exit_codes
