#include "exit_codes/pod_json.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
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
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool too_large = value->is_number_unsigned() && value->get<std::uint64_t>() > kMax;
  if (!value->is_number_integer() || too_large) fail(path + key, "an integer of 64 bits");
  return value->get<std::int64_t>();
}

/// Takes a number of `digits` digits off the front of `text`; nullopt where there is none.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

/// Takes `c` off the front of `text`; whether it was there.
bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// "08:00", the hours and minutes of a day.
std::optional<std::chrono::minutes> take_minutes(std::string_view& text) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute);
}

/// "Z" or "+01:00" at the end of a time: how far it is ahead of UTC.
std::optional<std::chrono::minutes> take_offset(std::string_view text) {
  if (text == "Z" || text == "z") return std::chrono::minutes(0);
  const bool behind = text.starts_with('-');
  if (!behind && !text.starts_with('+')) return std::nullopt;
  text.remove_prefix(1);
  const auto offset = take_minutes(text);
  if (!offset || !text.empty()) return std::nullopt;
  return behind ? -*offset : *offset;
}

/// A time of RFC 3339 in seconds since the epoch; fractions of a second are left off.
std::optional<std::int64_t> parse_time(std::string_view text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day || !(take(text, 'T') || take(text, 't'))) return std::nullopt;
  const auto minutes = take_minutes(text);
  if (!minutes || !take(text, ':')) return std::nullopt;
  const auto second = take_number(text, 2);
  if (!second || *second > 60) return std::nullopt;
  if (take(text, '.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    if (end == 0) return std::nullopt;
    text.remove_prefix(end);
  }
  const auto offset = take_offset(text);
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!offset || !date.ok()) return std::nullopt;
  return std::chrono::seconds(std::chrono::sys_days(date).time_since_epoch() + *minutes - *offset)
             .count() +
         *second;
}

std::optional<std::int64_t> time_at(const json& parent, const char* key, const std::string& path) {
  if (find(parent, key) == nullptr) return std::nullopt;
  const auto time = parse_time(string_at(parent, key, path));
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
