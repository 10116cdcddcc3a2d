#pragma once

#include <string>
#include <string_view>

namespace admission {

/// Appends `text` as a JSON string. Invalid UTF-8 is replaced by U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace admission
