#include "cli/log_options.h"

#include "cli/one_of.h"

namespace cli {

webhook::LogFormat LogOptions::parsed_format() const {
  return format == "text" ? webhook::LogFormat::text : webhook::LogFormat::json;
}

webhook::LogLevel LogOptions::parsed_level() const {
  using webhook::LogLevel;
  for (const LogLevel known : {LogLevel::debug, LogLevel::info, LogLevel::warn, LogLevel::error}) {
    if (webhook::to_string(known) == level) return known;
  }
  return LogLevel::info;
}

void add_log_options(CLI::App& command, LogOptions& options) {
  command.add_option("--log-format", options.format, "json or text, on standard error")
      ->check(one_of({"json", "text"}))
      ->capture_default_str();
  command.add_option("--log-level", options.level, "Lines below it are left out")
      ->check(one_of({"debug", "info", "warn", "error"}))
      ->capture_default_str();
}

}  // namespace cli
