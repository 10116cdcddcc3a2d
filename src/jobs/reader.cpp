#include "jobs/reader.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exit_codes/annotation.h"
#include "jobs/kind.h"

namespace jobs {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;

/// Notes the shape and, if it is an object, reads its fields.
template <class OnField>
error_code read_object(od::value value, Shape& shape, OnField on_field) {
  if (const auto error = read_shape(value, shape)) return error;
  return shape == Shape::object ? for_each_field(value, on_field) : simdjson::SUCCESS;
}

/// Finds what has been read under a key before: one by one while there are few, by a hash table
/// where somebody sends many, so that the time is linear in the size of the job.
class Positions {
 public:
  /// The position of `key` among `items`, the key of each of which `key_of` gives, or the number of
  /// them. To be called before each one is added at the end.
  template <class Items, class KeyOf>
  std::size_t find(const Items& items, std::string_view key, KeyOf key_of) {
    constexpr std::size_t kFew = 16;
    if (items.size() <= kFew) {
      const auto found = std::ranges::find_if(
          items, [&](const auto& item) { return std::invoke(key_of, item) == key; });
      return static_cast<std::size_t>(found - items.begin());
    }
    for (; indexed_ < items.size(); ++indexed_) {
      positions_.emplace(std::invoke(key_of, items[indexed_]), indexed_);
    }
    const auto found = positions_.find(key);
    return found == positions_.end() ? items.size() : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> positions_;
  std::size_t indexed_ = 0;
};

/// Where annotations may get near the API server's limit, they are counted exactly.
constexpr std::size_t kCountExactly = std::size_t{192} * 1024;

/// The bytes of a JSON string's text, given as it is written between its quotes.
std::size_t unescaped_size(std::string_view written) {
  std::size_t size = 0;
  for (std::size_t at = 0; at < written.size(); ++size) {
    if (written[at] != '\\') {
      ++at;
    } else if (written.substr(at, 2) != "\\u") {
      at += 2;
    } else {
      std::uint32_t unit = 0;
      std::from_chars(written.data() + at + 2, written.data() + at + 6, unit, 16);
      // UTF-8: a surrogate pair is four bytes, two for each half.
      if (unit >= 0x80) ++size;
      if (unit >= 0x800 && (unit < 0xD800 || unit > 0xDFFF)) ++size;
      at += 6;
    }
  }
  return size;
}

/// Reads those under our prefix; the values of others can be long, and only their size matters.
error_code read_annotations(od::value value, Annotations& annotations) {
  annotations = {};
  std::vector<std::string_view> others;
  Positions positions;
  const auto error =
      read_object(value, annotations.shape, [&](std::string_view key, od::value field) {
        annotations.bytes += key.size();
        if (!key.starts_with(exit_codes::kAnnotationPrefix)) {
          std::string_view written = field.raw_json_token();
          if (!written.starts_with('"')) return simdjson::SUCCESS;
          // The token carries the white space behind it.
          written = written.substr(1, written.rfind('"') - 1);
          others.push_back(written);
          annotations.bytes += written.size();
          return simdjson::SUCCESS;
        }
        Scalar scalar;
        if (const auto failed = read_scalar(field, scalar)) return failed;
        annotations.bytes += scalar.text.size();
        const std::size_t same = positions.find(annotations.ours, key, &Annotation::key);
        if (same == annotations.ours.size()) {
          annotations.ours.push_back({key, scalar});
        } else {
          annotations.bytes -= key.size() + annotations.ours[same].value.text.size();
          annotations.ours[same].value = scalar;
        }
        return simdjson::SUCCESS;
      });
  if (!error && annotations.bytes > kCountExactly) {
    for (const std::string_view written : others) {
      annotations.bytes -= written.size() - unescaped_size(written);
    }
  }
  return error;
}

error_code read_containers(od::value value, PodTemplate& pod_template) {
  pod_template.container_names.clear();
  if (const auto error = read_shape(value, pod_template.containers)) return error;
  if (pod_template.containers != Shape::array) return simdjson::SUCCESS;
  od::array containers;
  if (const auto error = value.get_array().get(containers)) return error;
  for (auto result : containers) {
    od::value container;
    if (const auto error = std::move(result).get(container)) return error;
    Shape shape = Shape::absent;
    Scalar name;
    const auto error = read_object(container, shape, [&](std::string_view key, od::value field) {
      return key == "name" ? read_scalar(field, name) : simdjson::SUCCESS;
    });
    if (error) return error;
    if (name.is_string()) pod_template.container_names.push_back(name.text);
  }
  return simdjson::SUCCESS;
}

error_code read_finalizers(od::value value, PodTemplate& pod_template) {
  pod_template.finalizer_names.clear();
  if (const auto error = read_shape(value, pod_template.finalizers)) return error;
  if (pod_template.finalizers != Shape::array) return simdjson::SUCCESS;
  od::array list;
  if (const auto error = value.get_array().get(list)) return error;
  for (auto result : list) {
    od::value item;
    if (const auto error = std::move(result).get(item)) return error;
    if (const auto error = read_scalar(item, pod_template.finalizer_names.emplace_back())) {
      return error;
    }
  }
  return simdjson::SUCCESS;
}

error_code read_template(od::value value, PodTemplate& pod_template) {
  pod_template = {};
  return read_object(value, pod_template.shape, [&](std::string_view key, od::value field) {
    if (key == "metadata") {
      pod_template.annotations = {};
      pod_template.finalizers = Shape::absent;
      pod_template.finalizer_names.clear();
      return read_object(field, pod_template.metadata, [&](std::string_view name, od::value item) {
        if (name == "annotations") return read_annotations(item, pod_template.annotations);
        if (name == "finalizers") return read_finalizers(item, pod_template);
        return simdjson::SUCCESS;
      });
    }
    if (key == "spec") {
      pod_template.restart_policy = {};
      pod_template.containers = Shape::absent;
      pod_template.container_names.clear();
      return read_object(field, pod_template.spec, [&](std::string_view name, od::value item) {
        if (name == "restartPolicy") return read_scalar(item, pod_template.restart_policy);
        if (name == "containers") return read_containers(item, pod_template);
        return simdjson::SUCCESS;
      });
    }
    return simdjson::SUCCESS;
  });
}

error_code read_replica(od::value value, Replica& replica) {
  return read_object(value, replica.shape, [&](std::string_view key, od::value field) {
    if (key == "restartPolicy") return read_scalar(field, replica.restart_policy);
    if (key == "template") return read_template(field, replica.pod_template);
    if (key == "tfReplicaType" && !replica.type.is_string()) {
      return read_scalar(field, replica.type);
    }
    return simdjson::SUCCESS;
  });
}

error_code read_specs(od::value value, ReplicaSpecs& specs) {
  if (const auto error = read_shape(value, specs.shape)) return error;
  if (specs.shape == Shape::object) {
    Positions positions;
    return for_each_field(value, [&](std::string_view key, od::value field) {
      Replica replica{
          .type = {Shape::string, key}, .shape = {}, .restart_policy = {}, .pod_template = {}};
      if (const auto error = read_replica(field, replica)) return error;
      const std::size_t same =
          positions.find(specs.replicas, key, [](const Replica& other) { return other.type.text; });
      if (same == specs.replicas.size()) {
        specs.replicas.push_back(std::move(replica));
      } else {
        specs.replicas[same] = std::move(replica);
      }
      return simdjson::SUCCESS;
    });
  }
  if (specs.shape == Shape::array) {
    od::array list;
    if (const auto error = value.get_array().get(list)) return error;
    for (auto result : list) {
      od::value item;
      if (const auto error = std::move(result).get(item)) return error;
      if (const auto error = read_replica(item, specs.replicas.emplace_back())) return error;
    }
  }
  return simdjson::SUCCESS;
}

error_code read_run_policy(od::value value, Job& job) {
  job.run_policy_backoff_limit = {};
  job.run_policy_active_deadline = {};
  return read_object(value, job.run_policy, [&](std::string_view key, od::value field) {
    if (key == "backoffLimit") return read_scalar(field, job.run_policy_backoff_limit);
    if (key == "activeDeadlineSeconds") return read_scalar(field, job.run_policy_active_deadline);
    return simdjson::SUCCESS;
  });
}

error_code read_spec(od::value value, Job& job) {
  job.specs.clear();
  return read_object(value, job.spec, [&](std::string_view key, od::value field) {
    if (key == "runPolicy") return read_run_policy(field, job);
    if (key == "backoffLimit") return read_scalar(field, job.backoff_limit);
    if (key == "activeDeadlineSeconds") return read_scalar(field, job.active_deadline);
    if (key == "elasticPolicy") return read_shape(field, job.elastic_policy);
    if (is_specs_field(key)) {
      std::erase_if(job.specs, [&](const ReplicaSpecs& specs) { return specs.field == key; });
      return read_specs(field, job.specs.emplace_back(ReplicaSpecs{key, Shape::absent, {}}));
    }
    return simdjson::SUCCESS;
  });
}

error_code read_metadata(od::value value, Job& job) {
  job.annotations = {};
  job.name = job.generate_name = {};
  job.deleting = false;
  return read_object(value, job.metadata, [&](std::string_view key, od::value field) {
    if (key == "annotations") return read_annotations(field, job.annotations);
    Scalar scalar;
    if (key == "name" || key == "generateName" || key == "deletionTimestamp") {
      if (const auto error = read_scalar(field, scalar)) return error;
    }
    if (key == "name") job.name = scalar.text;
    if (key == "generateName") job.generate_name = scalar.text;
    if (key == "deletionTimestamp") job.deleting = !is_missing(scalar.shape);
    return simdjson::SUCCESS;
  });
}

}  // namespace

error_code read_key(od::field& field, std::string_view& key) {
  // Nearly all keys are written as they are: they need no copy.
  const char* const begin = field.key().raw();
  const char* end = begin;
  while (*end != '"' && *end != '\\') ++end;
  if (*end == '\\') return field.unescaped_key().get(key);
  key = {begin, static_cast<std::size_t>(end - begin)};
  return simdjson::SUCCESS;
}

error_code read_shape(od::value value, Shape& shape) {
  od::json_type type{};
  if (const auto error = value.type().get(type)) return error;
  switch (type) {
    case od::json_type::array:
      shape = Shape::array;
      break;
    case od::json_type::object:
      shape = Shape::object;
      break;
    case od::json_type::number:
      shape = Shape::number;
      break;
    case od::json_type::string:
      shape = Shape::string;
      break;
    case od::json_type::boolean:
      shape = Shape::boolean;
      break;
    case od::json_type::null:
      shape = Shape::null;
      break;
  }
  return simdjson::SUCCESS;
}

error_code read_scalar(od::value value, Scalar& scalar) {
  scalar = {};
  if (const auto error = read_shape(value, scalar.shape)) return error;
  if (scalar.shape == Shape::string) return value.get_string().get(scalar.text);
  if (scalar.shape == Shape::number || scalar.shape == Shape::boolean) {
    // The token carries the white space behind it.
    scalar.text = value.raw_json_token();
    scalar.text = scalar.text.substr(0, scalar.text.find_last_not_of(" \t\r\n") + 1);
  }
  return simdjson::SUCCESS;
}

error_code read_job(od::value value, Job& job) {
  job = {};
  return read_object(value, job.shape, [&](std::string_view key, od::value field) {
    if (key == "metadata") return read_metadata(field, job);
    if (key == "spec") {
      job.backoff_limit = job.active_deadline = {};
      job.run_policy = job.elastic_policy = Shape::absent;
      return read_spec(field, job);
    }
    return simdjson::SUCCESS;
  });
}

}  // namespace jobs
