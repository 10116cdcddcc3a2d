#include "http/rfc3339.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace http {
namespace {

using std::chrono::system_clock;

/// Without the Z at its end.
std::string to_the_second(std::chrono::sys_seconds time) {
  const std::time_t seconds = system_clock::to_time_t(time);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 40> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  return {text.data(), size};
}

}  // namespace

std::string rfc3339(system_clock::time_point time) {
  return to_the_second(std::chrono::floor<std::chrono::seconds>(time)) + "Z";
}

std::string rfc3339_micros(system_clock::time_point time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::floor<std::chrono::microseconds>(time - seconds);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), ".%06dZ", static_cast<int>(rest.count()));
  return to_the_second(seconds) + text.data();
}

}  // namespace http
