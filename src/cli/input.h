#pragma once

#include <expected>
#include <string>

namespace cli {

/// The whole of a file, or of standard input for "-"; the error is a sentence that names it. Files
/// over `sources::kMaxFileSize` are refused.
[[nodiscard]] std::expected<std::string, std::string> read_input(const std::string& path);

}  // namespace cli
