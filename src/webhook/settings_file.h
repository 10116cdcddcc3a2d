#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "admission/settings.h"

namespace webhook {

/// The settings in `file`, or the defaults if there is none. The error has a line for each fault,
/// with file, line and column.
[[nodiscard]] std::expected<std::shared_ptr<const admission::Settings>, std::string> load_settings(
    const std::optional<std::filesystem::path>& file);

}  // namespace webhook
