#pragma once

#include <ranges>
#include <string>
#include <string_view>

namespace policies {

/// `text` as a string literal of CEL.
[[nodiscard]] std::string cel_string(std::string_view text);

/// A list literal of CEL with the strings in `texts`.
template <std::ranges::range Texts>
[[nodiscard]] std::string cel_list(const Texts& texts) {
  std::string out;
  for (const auto& text : texts) out += (out.empty() ? "" : ", ") + cel_string(text);
  return "[" + out + "]";
}

/// What RE2 matches of what fnmatch(3) matches by `glob`.
[[nodiscard]] std::string glob_to_regex(std::string_view glob);

/// A regular expression for a whole code list (DESIGN section 11), but for the direction of ranges.
[[nodiscard]] std::string code_list_regex();

/// A map literal of CEL from the names of signals and of sysexits.h to their codes.
[[nodiscard]] std::string code_names_map();

}  // namespace policies
