#include "exit_codes/text.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace exit_codes {

std::string_view trim_blanks(std::string_view text) noexcept {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<int> read_digits(std::string_view text, int max) noexcept {
  if (!is_digits(text)) return std::nullopt;
  int value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || value > max) return std::nullopt;
  return value;
}

bool has_leading_zero(std::string_view text) noexcept {
  return text.size() > 1 && text.front() == '0';
}

}  // namespace exit_codes
