#pragma once

#include <span>
#include <string_view>

namespace exit_codes {

/// The one of `candidates` that `text` most likely stands for: equal but for case, '-' and '_', or
/// few edits away (a third of its length at most). An empty view if none is near.
[[nodiscard]] std::string_view nearest(std::string_view text,
                                       std::span<const std::string_view> candidates);

}  // namespace exit_codes
