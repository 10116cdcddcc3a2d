#pragma once

#include <optional>
#include <string_view>

#include "sources/source.h"

namespace sources {

/// Where to point an editor for one field of a job.
struct Place {
  yaml::Place at;
  bool is_key = false;              ///< `at` is a key: the value is missing or an empty null
  std::optional<yaml::Node> value;  ///< what stands at the field; nothing if it is missing
  /// The alias (`*name`) outside of which `at` was written, where the field is reached by one.
  std::optional<yaml::Mark> alias;
};

/// The place of `field` of `job`, a path as findings have it
/// (`spec.tfReplicaSpecs[Worker].restartPolicy`, `metadata.annotations[KEY]`, `object` for the
/// whole): of its value, an alias' own; or, where it or a part of its path is missing, of the key
/// of the last part that is there (the beginning of the job where that has no key).
[[nodiscard]] Place find_place(const Job& job, std::string_view field);

/// The place of the key at the end of `field` rather than of its value.
[[nodiscard]] Place find_key_place(const Job& job, std::string_view field);

}  // namespace sources
