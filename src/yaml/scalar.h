#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

#include "yaml/error.h"
#include "yaml/node.h"

namespace yaml {

/// The value of a scalar; std::monostate is null.
using Scalar = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;

/// The type and value of a scalar node, as go-yaml v2 (and so kubectl) has them.
///
/// - Quoted, literal and folded scalars are strings, and so is whatever has the tag `!!str` or a
///   tag of an application's own.
/// - Plain ones are null (empty, `~`, `null`), booleans (`true`, `yes`, `on`, `y`, `false`, `no`,
///   `off`, `n`), each also Capitalised or in UPPER case and in no other way, numbers (see
///   `parse_number`; `.inf`, `-.inf`, `.nan`), else strings. Dates are strings.
/// - `!!null`, `!!bool`, `!!int` and `!!float` demand that type, of quoted ones too (an int is a
///   float where that is demanded): an error otherwise. `!!timestamp` is not checked.
/// - `!!binary` is an error, since JSON cannot hold it.
///
/// `node` is a scalar.
[[nodiscard]] std::expected<Scalar, Error> resolve(const Node& node);

/// Whether `node` is a scalar that stands for null.
[[nodiscard]] bool is_null(const Node& node);

}  // namespace yaml
