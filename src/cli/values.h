#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace cli {

/// The values that `option` takes, as its `one_of` lists them, or the built-in ones of profiles
/// and operators; empty where it takes others.
[[nodiscard]] std::vector<std::string> known_values(const CLI::Option& option);

}  // namespace cli
