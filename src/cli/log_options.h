#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "webhook/log.h"

namespace cli {

/// How a server logs.
struct LogOptions {
  std::string format = "json";
  std::string level = "info";

  [[nodiscard]] webhook::LogFormat parsed_format() const;
  [[nodiscard]] webhook::LogLevel parsed_level() const;
};

/// Adds --log-format and --log-level.
void add_log_options(CLI::App& command, LogOptions& options);

}  // namespace cli
