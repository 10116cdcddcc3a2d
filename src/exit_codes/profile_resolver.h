#pragma once

#include <span>
#include <variant>
#include <vector>

#include "exit_codes/profile.h"
#include "exit_codes/table.h"

namespace exit_codes {

/// The whole table of each of `definitions`, in their order; or what is wrong with the first of
/// them that is at fault: names before `extends` before cycles.
[[nodiscard]] std::variant<std::vector<Table>, ProfileError> resolve(
    std::span<const ProfileDefinition> definitions);

}  // namespace exit_codes
