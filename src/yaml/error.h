#pragma once

#include <cstddef>
#include <string>

namespace yaml {

/// A place in a text as editors show it: lines and columns count from 1, columns in characters
/// (code points), a tab being one. A byte order mark has no column.
struct Mark {
  std::size_t line = 1;
  std::size_t column = 1;

  [[nodiscard]] bool operator==(const Mark& other) const = default;
  [[nodiscard]] auto operator<=>(const Mark& other) const = default;
};

/// Why a text is no YAML, or not YAML that kubectl would take.
struct Error {
  Mark mark;
  std::string message;  ///< what is wrong and what to write instead, without the place
};

}  // namespace yaml
