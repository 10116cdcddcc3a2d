#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "yaml/parse.h"

namespace yaml {

/// Whether kubectl takes `text` for JSON: its first character that is no white space is a '{'.
[[nodiscard]] bool looks_like_json(std::string_view text);

/// Reads JSON objects one after the other, as kubectl reads a text that begins with '{'; places are
/// as in YAML, numbers and `true`, `false` and `null` plain scalars. Text that is not all JSON can
/// still be YAML in flow style, so it is read as that from where JSON ends: whole, if that is in
/// the first object. Limits are those of `parse`. Thread-safe.
[[nodiscard]] Stream parse_json_stream(std::string_view text);

}  // namespace yaml
