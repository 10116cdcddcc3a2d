#include "exit_codes/bad_item.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "exit_codes/code_names.h"
#include "exit_codes/code_set.h"
#include "exit_codes/nearest.h"
#include "exit_codes/quote.h"
#include "exit_codes/text.h"

namespace exit_codes {
namespace {

// Each of these gives the end of a sentence that begins with the item, or nullopt where the item
// is not of the sort that it knows.
using Explanation = std::optional<std::string>;

constexpr std::string_view kWriteNumber = "write a number from 1 to 255";

bool is_code(int number) { return number >= kMinCode && number <= kMaxCode; }

std::string write_code(std::optional<int> number) {
  if (!number || !is_code(*number)) return std::string(kWriteNumber);
  return "write " + std::to_string(*number);
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

Explanation explain_number(std::string_view item) {
  if (!is_digits(item)) return std::nullopt;
  const auto number = read_digits(item, kMaxCode);
  if (number == 0) return " is success, which no list can hold: " + std::string(kWriteNumber);
  if (!number) return " is not an exit code: " + std::string(kWriteNumber);
  return " has a leading zero: write " + std::to_string(*number);
}

Explanation explain_sign(std::string_view item) {
  if (!is_digits(item.substr(1))) return std::nullopt;
  const auto number = read_digits(item.substr(1), std::numeric_limits<int>::max());
  if (item.front() == '+') return " has a sign: " + write_code(number);
  if (item.front() != '-') return std::nullopt;
  if (!number || *number % 256 == 0) return " is negative: " + std::string(kWriteNumber);
  const std::string wrapped = std::to_string(256 - *number % 256);
  return " is negative, but exit(-" + std::to_string(*number) + ") ends with " + wrapped +
         ": write " + wrapped;
}

Explanation explain_hexadecimal(std::string_view item) {
  if (!item.starts_with("0x") && !item.starts_with("0X")) return std::nullopt;
  const std::string_view digits = item.substr(2);
  int number = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  const bool whole = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
  return " is hexadecimal: " + write_code(whole ? std::optional(number) : std::nullopt);
}

Explanation explain_range_of(std::string_view left, std::string_view right, bool hyphen) {
  const bool blanks = trim_blanks(left) != left || trim_blanks(right) != right;
  left = trim_blanks(left);
  right = trim_blanks(right);
  const auto left_name = code_of_name(left);
  const auto right_name = code_of_name(right);
  const bool numbers = (is_digits(left) || left_name) && (is_digits(right) || right_name);
  if (!numbers) {
    if (!hyphen || !(left.empty() || right.empty())) return std::nullopt;
    if (!is_digits(left) && !is_digits(right)) return std::nullopt;
    return " is a range with one end: write both, such as 100-110";
  }
  const int first = left_name.value_or(read_digits(left, kMaxCode).value_or(0));
  const int last = right_name.value_or(read_digits(right, kMaxCode).value_or(0));
  if (!is_code(first) || !is_code(last)) {
    return " reaches outside the exit codes: write a range within 1-255";
  }
  const auto [low, high] = std::minmax(first, last);
  std::string problem = " has leading zeros";
  if (!hyphen) problem = " is not how a range is written";
  if (blanks) problem = " has blanks within a range";
  if (first > last) problem = " runs downwards";
  if (left_name || right_name) problem = " has a name within a range";
  return problem + ": write " + std::to_string(low) + "-" + std::to_string(high);
}

Explanation explain_range(std::string_view item) {
  // The last two are the dashes that word processors make of a hyphen.
  constexpr std::array<std::string_view, 6> kSigns{"-", "...", "..", ":", "\u2013", "\u2014"};
  for (const std::string_view sign : kSigns) {
    const auto at = item.find(sign);
    if (at == std::string_view::npos) continue;
    if (auto found =
            explain_range_of(item.substr(0, at), item.substr(at + sign.size()), sign == "-")) {
      return found;
    }
  }
  return std::nullopt;
}

Explanation explain_separator(std::string_view item) {
  if (item.find_first_of("\r\n") != std::string_view::npos) {
    return " has a line break: write the list on one line, separated by commas";
  }
  const auto at = item.find_first_of(" \t;|/&");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string sign =
      item[at] == ' ' || item[at] == '\t' ? "a blank" : quote(item.substr(at, 1));
  return " has " + sign + " within: separate items with commas, as in '1, 2'";
}

Explanation explain_brackets(std::string_view item) {
  if (item.find_first_of("[]{}()\"'") == std::string_view::npos) return std::nullopt;
  return " has brackets or quotes: write the items alone, as in '1, 2'";
}

Explanation explain_real_time(std::string_view item) {
  const std::string name = upper(item);
  if (!name.starts_with("SIGRT") && !name.starts_with("RTM")) return std::nullopt;
  return " is a real-time signal, whose number differs between systems: write its code, 128 plus "
         "the number";
}

Explanation explain_name(std::string_view item) {
  // No name is as long, and the copies below shall not grow with the item.
  constexpr std::size_t kLongestName = 32;
  if (item.size() > kLongestName) return std::nullopt;
  const std::string name = upper(item);
  if (name == "EX_OK") return " is 0, success, which no list can hold: take it out";
  std::vector<std::string_view> names;
  for (const auto known : {signal_names(), sysexits_names()}) {
    for (const CodeName& entry : known) names.push_back(entry.name);
  }
  std::string meant(nearest(item, names));
  for (const std::string_view prefix : {"SIG", "EX_"}) {
    std::string whole = std::string(prefix) + name;
    if (code_of_name(whole)) meant = std::move(whole);
  }
  if (meant.empty()) return std::nullopt;
  return " is not a name of an exit code: did you mean " + meant + "?";
}

}  // namespace

std::string explain_bad_item(std::string_view item) {
  if (item.empty())
    return "the item is empty: " + std::string(kWriteNumber) + ", a range or a name";
  for (const auto explain : {explain_number, explain_sign, explain_hexadecimal, explain_real_time,
                             explain_range, explain_name, explain_separator, explain_brackets}) {
    if (const Explanation found = explain(item)) return quote(item) + *found;
  }
  return quote(item) +
         " is no exit code: write a number from 1 to 255, a range such as 100-110, a signal such "
         "as "
         "SIGTERM or a name of sysexits.h such as EX_TEMPFAIL";
}

}  // namespace exit_codes
