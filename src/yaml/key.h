#pragma once

#include <expected>
#include <string>

#include "yaml/error.h"
#include "yaml/node.h"

namespace yaml {

/// The string that kubectl makes of a key: booleans become `true` and `false`, integers decimal,
/// floats the shortest text that a 32-bit float reads back. Null, unsigned integers from 2^63 up,
/// sequences and mappings are errors, as they are there.
[[nodiscard]] std::expected<std::string, Error> key_name(const Node& key);

/// Whether `key` is the merge key `<<`.
[[nodiscard]] bool is_merge_key(const Node& key);

}  // namespace yaml
