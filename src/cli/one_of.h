#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace cli {

/// A check that an option's value is one of `values`; the error names the nearest. Its description
/// is "{a,b}", from which help and completion take the values.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> values);

}  // namespace cli
