#pragma once

#include <chrono>
#include <string>

namespace http {

/// RFC 3339 in UTC to the second, as metav1.Time: "2026-12-01T08:00:00Z".
[[nodiscard]] std::string rfc3339(std::chrono::system_clock::time_point time);

/// To the microsecond, as metav1.MicroTime: "2026-12-01T08:00:00.000000Z".
[[nodiscard]] std::string rfc3339_micros(std::chrono::system_clock::time_point time);

}  // namespace http
