#pragma once

#include <yaml.h>

#include "yaml/error.h"
#include "yaml/text_index.h"

namespace yaml {

/// What made `parser`, which reads the body of `index`, give up, in words for people who write
/// YAML rather than for people who write parsers.
[[nodiscard]] Error syntax_error(const yaml_parser_t& parser, const TextIndex& index);

}  // namespace yaml
