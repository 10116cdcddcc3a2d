#pragma once

#include <string>
#include <string_view>

namespace yaml {

/// `text`, which is UTF-8, in single quotes for a message: on one line, control characters as '?',
/// and cut after 40 characters or so.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace yaml
