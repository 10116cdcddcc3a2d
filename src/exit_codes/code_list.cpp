#include "exit_codes/code_list.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "exit_codes/bad_item.h"
#include "exit_codes/code_names.h"
#include "exit_codes/quote.h"
#include "exit_codes/table.h"
#include "exit_codes/text.h"

namespace exit_codes {
namespace {

std::optional<int> parse_code(std::string_view text) {
  if (has_leading_zero(text)) return std::nullopt;
  const std::optional<int> code = read_digits(text, kMaxCode);
  return code && *code >= kMinCode ? code : std::nullopt;
}

}  // namespace

std::variant<CodeSet, ParseError> parse_code_item(std::string_view item) {
  item = trim_blanks(item);
  if (const auto code = parse_code(item)) return CodeSet{*code};
  if (const auto code = code_of_name(item)) return CodeSet{*code};
  if (const auto dash = item.find('-'); dash != std::string_view::npos) {
    const auto first = parse_code(item.substr(0, dash));
    const auto last = parse_code(item.substr(dash + 1));
    if (first && last && *first <= *last) return CodeSet::range(*first, *last);
  }
  return ParseError{.item = std::string(item), .message = explain_bad_item(item)};
}

std::variant<CodeSet, std::vector<ParseError>> parse_code_list(std::string_view text) {
  std::vector<ParseError> errors;
  if (trim_blanks(text).empty()) {
    errors.push_back({.item = std::string(text),
                      .message = "the list is empty: write exit codes separated by commas, such as "
                                 "'42, 100-110, SIGUSR2'"});
    return errors;
  }
  CodeSet codes;
  int count = 0;
  for (std::size_t start = 0; start <= text.size() && errors.size() < kMaxListErrors;) {
    const std::string_view rest = text.substr(start);
    const std::string_view item = rest.substr(0, rest.find(','));
    start += item.size() + 1;
    ++count;
    if (trim_blanks(item).empty()) {
      errors.push_back({.item = {},
                        .message = "item " + std::to_string(count) +
                                   " of the list is empty: take out the comma too many"});
      continue;
    }
    auto parsed = parse_code_item(item);
    if (auto* const error = std::get_if<ParseError>(&parsed)) {
      errors.push_back(std::move(*error));
    } else {
      codes |= std::get<CodeSet>(parsed);
    }
  }
  if (!errors.empty()) return errors;
  return codes;
}

std::variant<int, ParseError> parse_max_retries(std::string_view text) {
  const auto value = read_digits(text, kMaxMaxRetries);
  if (value && !has_leading_zero(text)) return *value;

  const std::string write = "write a number from 0 to " + std::to_string(kMaxMaxRetries);
  std::string message = quote(text) + " is no number of retries: " + write;
  if (trim_blanks(text).empty()) {
    message = "the number of retries is empty: " + write;
  } else if (value) {
    message = quote(text) + " has a leading zero: write " + std::to_string(*value);
  } else if (const auto inner = read_digits(trim_blanks(text), kMaxMaxRetries)) {
    message = quote(text) + " has blanks around the number: write " + std::to_string(*inner);
  } else if (is_digits(text)) {
    message = quote(text) + " is too large: " + write;
  } else if (text.front() == '-' && is_digits(text.substr(1))) {
    message = quote(text) + " is negative: " + write + ", or leave it out for no limit";
  }
  return ParseError{.item = std::string(text), .message = std::move(message)};
}

}  // namespace exit_codes
