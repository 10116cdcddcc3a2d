#pragma once

#include <string>
#include <string_view>

namespace exit_codes {

/// `text` in single quotes, for a message: valid UTF-8 of one line, whatever the bytes. Control
/// characters and bytes that are no UTF-8 become '?'; of more than 40 bytes, the first ones stand,
/// then "...".
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace exit_codes
