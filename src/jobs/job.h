#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace jobs {

/// What stands at a place in a JSON document.
enum class Shape { absent, null, string, number, boolean, array, object };

/// "a string", "an array", ...: for messages.
[[nodiscard]] std::string_view describe(Shape shape) noexcept;

/// Absent and null mean the same to Kubernetes' decoders.
[[nodiscard]] constexpr bool is_missing(Shape shape) noexcept {
  return shape == Shape::absent || shape == Shape::null;
}

/// A place that should hold a string or a number.
struct Scalar {
  Shape shape = Shape::absent;
  std::string_view text;  ///< a string unescaped; a number or boolean as written; else empty

  [[nodiscard]] bool is_string() const noexcept { return shape == Shape::string; }
  /// Missing or the empty string: the operators' defaults apply.
  [[nodiscard]] bool is_unset() const noexcept {
    return is_missing(shape) || (is_string() && text.empty());
  }
};

/// An annotation whose key has the prefix of the contract.
struct Annotation {
  std::string_view key;  ///< whole, with the prefix
  Scalar value;
};

/// `metadata.annotations`.
struct Annotations {
  Shape shape = Shape::absent;
  /// Of all keys and string values, as the API server counts; up to 192 KiB, where nothing depends
  /// on it, escapes may be counted as they are written.
  std::size_t bytes = 0;
  std::vector<Annotation> ours;  ///< those under our prefix, in document order

  /// The value of `key` (absent if it is not there).
  [[nodiscard]] Scalar find(std::string_view key) const noexcept;
};

/// `template` of a replica spec.
struct PodTemplate {
  Shape shape = Shape::absent;
  Shape metadata = Shape::absent;
  Annotations annotations;
  Shape finalizers = Shape::absent;
  std::vector<Scalar> finalizer_names;  ///< the items of that list
  Shape spec = Shape::absent;
  Scalar restart_policy;
  Shape containers = Shape::absent;
  std::vector<std::string_view> container_names;
};

/// One replica spec.
struct Replica {
  Scalar type;  ///< key in the map, or `tfReplicaType`
  Shape shape = Shape::absent;
  Scalar restart_policy;
  PodTemplate pod_template;
};

/// A field of `spec` that holds replica specs of some kind.
struct ReplicaSpecs {
  std::string_view field;
  Shape shape = Shape::absent;
  std::vector<Replica> replicas;  ///< in document order
};

/// A training job, as far as rules and tables need it. Views point into the bytes that it was read
/// from or into the parser's buffers: see `read_job`.
struct Job {
  Shape shape = Shape::absent;
  Shape metadata = Shape::absent;
  std::string_view name;
  std::string_view generate_name;
  bool deleting = false;  ///< has a deletionTimestamp
  Annotations annotations;
  Shape spec = Shape::absent;
  std::vector<ReplicaSpecs> specs;  ///< every field that `is_specs_field`, whatever the kind
  Shape run_policy = Shape::absent;
  Scalar backoff_limit;             ///< `spec.backoffLimit`
  Scalar run_policy_backoff_limit;  ///< `spec.runPolicy.backoffLimit`
  Scalar active_deadline;           ///< `spec.activeDeadlineSeconds`
  Scalar run_policy_active_deadline;
  Shape elastic_policy = Shape::absent;

  /// The replica specs in `field`, or null if the job has no such field.
  [[nodiscard]] const ReplicaSpecs* find_specs(std::string_view field) const noexcept;
};

}  // namespace jobs
