#pragma once

#include <string_view>

namespace cli {

/// The script for `shell`, one of bash, zsh and fish; it asks the program itself (`__complete`), so
/// that it stays right when the program is replaced by another version.
[[nodiscard]] std::string_view completion_script(std::string_view shell);

}  // namespace cli
