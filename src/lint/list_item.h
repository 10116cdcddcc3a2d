#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace lint {

/// A part of a string.
struct Part {
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// Which item of the code list `list` the error `message` of `parse_code_list` is about: the one
/// number `repeat` (from 0) of those that have this error. nullopt if it is about no single item.
[[nodiscard]] std::optional<Part> find_item(std::string_view list, std::string_view message,
                                            std::size_t repeat);

}  // namespace lint
