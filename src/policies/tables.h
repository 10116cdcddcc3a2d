#pragma once

#include <string>
#include <vector>

#include "admission/settings.h"
#include "policies/variables.h"

namespace policies {

/// The variables that `table_patches` needs besides `job_variables`.
[[nodiscard]] std::vector<Variable> table_variables(const admission::Settings& settings);

/// CEL: the list of JSONPatch that gives a job and its templates their tables.
[[nodiscard]] std::string table_patches();

/// CEL: what holds in the namespace of the request, of the cluster's value and those of namespace
/// rules; `value` gives one of a rule (null: the cluster's).
[[nodiscard]] std::string by_namespace(const admission::Settings& settings,
                                       std::string (*value)(const admission::Settings&,
                                                            const admission::NamespaceRule*));

}  // namespace policies
