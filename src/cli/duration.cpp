#include "cli/duration.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace cli {
namespace {

using std::chrono::milliseconds;

struct Unit {
  std::string_view name;
  milliseconds length;
};
constexpr std::array<Unit, 4> kUnits{{{"ms", milliseconds(1)},
                                      {"s", std::chrono::seconds(1)},
                                      {"m", std::chrono::minutes(1)},
                                      {"h", std::chrono::hours(1)}}};
constexpr milliseconds kLongest = std::chrono::hours(24);

}  // namespace

std::expected<milliseconds, std::string> parse_duration(std::string_view text) {
  std::uint32_t count = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [rest, error] = std::from_chars(begin, end, count);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (error == std::errc()) {
    for (const auto& [name, length] : kUnits) {
      if (unit == name && count <= kLongest / length) return count * length;
    }
  }
  return std::unexpected("\"" + std::string(text) +
                         "\" is no duration of at most 24h: write a whole number and ms, s, m or "
                         "h, such as 10s");
}

std::expected<void, std::string> read_durations(std::initializer_list<DurationFlag> flags) {
  for (const DurationFlag& flag : flags) {
    const auto duration = parse_duration(flag.text);
    if (!duration) return std::unexpected(std::string(flag.name) + ": " + duration.error());
    flag.value = *duration;
  }
  return {};
}

}  // namespace cli
