#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "admission/settings.h"

namespace cli {

/// Adds `--operator VERSION` to `command`: a known operator, in `value` by its canonical name; the
/// error names the nearest. Empty where it is not given.
void add_operator_option(CLI::App& command, std::string& value);

/// The settings of the configuration file at `path` (empty: the defaults), with the operator that
/// the command line gave, if it did; null after telling on standard error what is wrong with it.
[[nodiscard]] std::shared_ptr<const admission::Settings> load_settings(const std::string& path,
                                                                       const std::string& given);

}  // namespace cli
