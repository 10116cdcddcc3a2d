#pragma once

#include <span>
#include <string_view>

namespace jobs {

inline constexpr std::string_view kGroup = "kubeflow.org";
inline constexpr std::string_view kExitCode = "ExitCode";

/// A replica type that an operator knows.
struct ReplicaType {
  std::string_view name;
  std::string_view default_policy;  ///< what holds where none is given; empty where none is set
};

/// Where the replica specs stand and which of their fields holds the restart policy.
enum class Layout {
  map,  ///< v1alpha2 on: an object by replica type; the policy beside the template
  list  ///< TFJob v1alpha1: a list with `tfReplicaType`; the policy in `template.spec`
};

/// A row of the table of kinds (DESIGN section 4): what an operator reads of one kind of job.
struct Kind {
  std::string_view name;
  std::span<const std::string_view> versions;
  std::string_view specs_field;  ///< the field of `spec` that holds the replica specs
  Layout layout;
  std::span<const ReplicaType> types;
  std::span<const std::string_view> policies;
  std::string_view container;  ///< whose exit code the operator reads; empty: none
  bool folds_case;             ///< `worker` is read as `Worker`
  bool reads_codes;            ///< consults exit codes under `ExitCode`

  /// The known type that `type` stands for, case folded where the operator folds; null if none.
  [[nodiscard]] const ReplicaType* find_type(std::string_view type) const noexcept;

  /// Whether `policy` is one of `policies`.
  [[nodiscard]] bool accepts(std::string_view policy) const noexcept;
};

/// All rows.
[[nodiscard]] std::span<const Kind> kinds() noexcept;

/// The row of a kind in one version of group kubeflow.org, or null: not ours.
[[nodiscard]] const Kind* find_kind(std::string_view group, std::string_view version,
                                    std::string_view kind) noexcept;

/// Whether `field` of `spec` holds the replica specs of some kind.
[[nodiscard]] bool is_specs_field(std::string_view field) noexcept;

}  // namespace jobs
