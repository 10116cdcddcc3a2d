#pragma once

#include <chrono>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>

namespace cli {

/// Reads a duration as Kubernetes' flags have them: a whole number and a unit, ms, s, m or h; at
/// most 24 hours. The error says what to write.
[[nodiscard]] std::expected<std::chrono::milliseconds, std::string> parse_duration(
    std::string_view text);

/// A flag that is a duration: its name, what was given, and where it goes.
struct DurationFlag {
  const char* name;
  const std::string& text;
  std::chrono::milliseconds& value;
};

/// Reads them all; the error names the flag and says what to write.
[[nodiscard]] std::expected<void, std::string> read_durations(
    std::initializer_list<DurationFlag> flags);

}  // namespace cli
