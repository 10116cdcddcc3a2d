#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace cli {

/// What to tell somebody whose command line `app` could not read: what is wrong, the flag or
/// command that was probably meant, and where the help is. Lines, without the program's name before
/// them.
[[nodiscard]] std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace cli
