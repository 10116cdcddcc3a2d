#pragma once

#include <chrono>
#include <string>

namespace webhook {

/// RFC 3339 in UTC, to the second: "2026-12-01T08:00:00Z".
[[nodiscard]] std::string time_text(std::chrono::system_clock::time_point time);

}  // namespace webhook
