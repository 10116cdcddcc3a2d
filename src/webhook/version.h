#pragma once

#include <string_view>

namespace webhook {

/// The program's version: that of the CMake project.
inline constexpr std::string_view kVersion = TFJOB_WEBHOOK_VERSION;

}  // namespace webhook
