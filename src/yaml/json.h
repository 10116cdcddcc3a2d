#pragma once

#include <expected>

#include <nlohmann/json.hpp>

#include "yaml/error.h"
#include "yaml/node.h"

namespace yaml {

/// The JSON that kubectl sends for `node`: keys become strings, the last of several equal keys
/// wins (at the place of the first), 64-bit integers stay as they are, a float with a whole value
/// that 64 bits hold is an integer, as the API server reads it. Infinities, `.nan`, `!!binary` and
/// values that contradict their tag are errors.
[[nodiscard]] std::expected<nlohmann::ordered_json, Error> to_json(const Node& node);

}  // namespace yaml
