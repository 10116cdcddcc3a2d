#include "yaml/number.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

namespace yaml {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the prefix that tells the base off `digits`.
int take_base(std::string_view& digits) {
  if (!digits.starts_with('0')) return 10;
  int base = 8;
  std::size_t prefix = digits.size() == 1 ? 0 : 1;
  if (digits.size() >= 3) {
    const char letter = digits[1];
    if (letter == 'x' || letter == 'X') base = 16;
    if (letter == 'b' || letter == 'B') base = 2;
    if (base != 8 || letter == 'o' || letter == 'O') prefix = 2;
  }
  digits.remove_prefix(prefix);
  return base;
}

std::optional<Number> parse_integer(std::string_view text) {
  const bool is_signed = text.starts_with('-') || text.starts_with('+');
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(is_signed ? 1 : 0);
  const int base = take_base(digits);
  std::uint64_t magnitude = 0;
  const char* const begin = digits.data();
  const char* const end = begin + digits.size();
  const auto [stop, problem] = std::from_chars(begin, end, magnitude, base);
  if (problem != std::errc{} || stop != end) return std::nullopt;

  constexpr std::uint64_t kHighest = std::numeric_limits<std::int64_t>::max();
  if (negative) {
    if (magnitude > kHighest + 1) return std::nullopt;
    return static_cast<std::int64_t>(0 - magnitude);
  }
  if (magnitude <= kHighest) return static_cast<std::int64_t>(magnitude);
  if (is_signed) return std::nullopt;
  return magnitude;
}

/// `^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`, which is go-yaml's.
bool looks_like_float(std::string_view text) {
  std::size_t at = 0;
  const auto take_sign = [&] {
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  };
  const auto take_digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  take_sign();
  const std::size_t whole = take_digits();
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = take_digits();
  }
  if (whole + fraction == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    take_sign();
    if (take_digits() == 0) return false;
  }
  return at == text.size();
}

std::optional<Number> parse_float(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const begin = text.data();
  const auto [stop, problem] = std::from_chars(begin, begin + text.size(), value);
  if (problem == std::errc::result_out_of_range) {
    // std::from_chars does not say which way: too small is 0 for Go, too large an error.
    const bool too_small = text.contains("e-") || text.contains("E-");
    if (!too_small) return std::nullopt;
    return text.starts_with('-') ? -0.0 : 0.0;
  }
  if (problem != std::errc{}) return std::nullopt;
  return value;
}

std::string without_underscores(std::string_view text) {
  std::string plain;
  std::ranges::remove_copy(text, std::back_inserter(plain), '_');
  return plain;
}

/// Go's own rule for underscores, which go-yaml leaves to it for `.5`: digits on both sides.
bool underscores_separate_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') continue;
    if (i == 0 || i + 1 == text.size()) return false;
    if (!is_digit(text[i - 1]) || !is_digit(text[i + 1])) return false;
  }
  return true;
}

}  // namespace

std::optional<Number> parse_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const char first = text.front();
  if (first == '.') {
    if (!underscores_separate_digits(text)) return std::nullopt;
    return parse_float(without_underscores(text));
  }
  if (!is_digit(first) && first != '-' && first != '+') return std::nullopt;
  const std::string plain = without_underscores(text);
  if (const std::optional<Number> integer = parse_integer(plain)) return integer;
  return parse_float(plain);
}

}  // namespace yaml
