#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "exit_codes/code_set.h"

namespace exit_codes {

/// Why a code list or a `max-retries` value cannot be read.
struct ParseError {
  std::string item;     ///< the item at fault; the whole text where there is only one
  std::string message;  ///< what is wrong and what to write instead
};

/// How many errors of one list are told: a list is as long as its writer likes.
inline constexpr std::size_t kMaxListErrors = 16;

/// Reads a list of exit codes: `42, 100-110, SIGUSR2, EX_TEMPFAIL`.
///
/// Items are separated by commas, with blanks allowed around them. An item is a decimal code
/// from 1 to 255 without sign or leading zeros, a range of two such codes upwards without
/// blanks, a signal name of Linux x86-64 (`SIG`, upper case, not real-time; stands for 128+n), or
/// a name of sysexits.h (`EX_`, upper case). One code twice is fine. An empty list or item is an
/// error; all errors of a list are told, up to kMaxListErrors.
[[nodiscard]] std::variant<CodeSet, std::vector<ParseError>> parse_code_list(std::string_view text);

/// Reads one item of such a list.
[[nodiscard]] std::variant<CodeSet, ParseError> parse_code_item(std::string_view item);

/// Reads a `max-retries` value: 0 to 999999999, decimal, no sign, no leading zeros.
[[nodiscard]] std::variant<int, ParseError> parse_max_retries(std::string_view text);

}  // namespace exit_codes
