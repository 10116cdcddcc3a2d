#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>

namespace cli {

/// Reads a duration as Kubernetes' flags have them: a whole number and a unit, ms, s, m or h; at
/// most 24 hours. The error says what to write.
[[nodiscard]] std::expected<std::chrono::milliseconds, std::string> parse_duration(
    std::string_view text);

}  // namespace cli
