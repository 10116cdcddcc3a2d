#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "exit_codes/profile.h"
#include "yaml/node.h"

namespace config {

/// The profiles that a file may name.
struct ProfileSet {
  exit_codes::Profiles profiles;          ///< built-in ones, and those of the file that are sound
  std::vector<std::string> faulty_names;  ///< those that were reported: no name to complain about
};

/// Reads `profiles:`, a mapping of names to definitions, and resolves them.
[[nodiscard]] ProfileSet read_profiles(const yaml::Node& node, ErrorList& errors);

/// Reads the name of a profile of `known`.
[[nodiscard]] std::optional<std::string> read_profile_name(const yaml::Node& node,
                                                           std::string_view path,
                                                           const ProfileSet& known,
                                                           ErrorList& errors);

}  // namespace config
