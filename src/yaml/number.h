#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace yaml {

/// A number as go-yaml v2 reads one.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

/// Reads a plain scalar as a number; nullopt where it is a string.
///
/// Integers: decimal, `0x`, `0o` and `0b`, and octal with a leading `0`, with a sign; underscores
/// anywhere behind the first character are ignored. Unsigned only from 2^63 up. A decimal integer
/// that 64 bits do not hold, and one that is no octal number (`08`), is a float.
/// Floats: decimal, with an exponent or without. One that a double does not hold is a string.
/// Sexagesimal numbers are strings, as in YAML 1.2.
[[nodiscard]] std::optional<Number> parse_number(std::string_view text);

}  // namespace yaml
