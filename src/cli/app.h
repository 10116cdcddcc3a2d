#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/command.h"

namespace cli {

/// The command line with all subcommands. `name` is what usage texts call the program; `action` is
/// set when a subcommand was read, and must outlive the result.
[[nodiscard]] std::unique_ptr<CLI::App> make_app(const std::string& name, Action& action);

}  // namespace cli
