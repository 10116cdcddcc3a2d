#pragma once

#include <vector>

#include "admission/settings.h"
#include "config/error.h"
#include "config/profiles.h"
#include "yaml/node.h"

namespace config {

/// How enforcement is written, in the order of admission::Enforcement.
[[nodiscard]] std::optional<admission::Enforcement> read_enforcement(const yaml::Node& node,
                                                                     std::string_view path,
                                                                     ErrorList& errors);

/// Reads `namespaces:`, a list of rules; what a rule leaves out it has from `cluster`.
[[nodiscard]] std::vector<admission::NamespaceRule> read_namespaces(
    const yaml::Node& node, const admission::Settings& cluster, const ProfileSet& known,
    ErrorList& errors);

}  // namespace config
