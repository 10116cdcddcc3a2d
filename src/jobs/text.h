#pragma once

#include <span>
#include <string>
#include <string_view>

#include "jobs/job.h"

namespace jobs {

/// `text` in double quotes, fit for one line of a message: control characters, quotes and
/// backslashes escaped as JSON does, cut with "..." behind 64 bytes (never inside a character).
[[nodiscard]] std::string quoted(std::string_view text);

/// What stands at a place, for messages: a string quoted, a number or boolean as written, else what
/// it is ("an object").
[[nodiscard]] std::string shown(const Scalar& scalar);

/// A key as it stands in a field path: as it is if it is harmless, else quoted.
[[nodiscard]] std::string path_key(std::string_view key);

/// "A, B, C".
[[nodiscard]] std::string joined(std::span<const std::string_view> names);

}  // namespace jobs
