#pragma once

#include <optional>
#include <string_view>

namespace exit_codes {

/// `text` without the blanks (space and tab) at both ends.
[[nodiscard]] std::string_view trim_blanks(std::string_view text) noexcept;

/// True if `text` is one or more ASCII digits and nothing else.
[[nodiscard]] bool is_digits(std::string_view text) noexcept;

/// The value of `text`, digits with or without leading zeros; nullopt if it is none or above `max`.
[[nodiscard]] std::optional<int> read_digits(std::string_view text, int max) noexcept;

/// True if `text` begins with '0' and has more digits than that one.
[[nodiscard]] bool has_leading_zero(std::string_view text) noexcept;

}  // namespace exit_codes
