#pragma once

#include <memory>
#include <string>

#include "admission/settings.h"

namespace cli {

/// The settings of the configuration file at `path` (empty: the defaults); null after telling
/// on standard error what is wrong with it.
[[nodiscard]] std::shared_ptr<const admission::Settings> load_settings(const std::string& path);

}  // namespace cli
