#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "exit_codes/profile.h"
#include "exit_codes/table.h"

namespace admission {

/// Where in a metadata a patch adds the table: what is missing is added with it.
enum class PatchLevel : std::size_t {
  table,        ///< there are annotations
  annotations,  ///< there is a metadata without annotations
  metadata      ///< there is no metadata
};
inline constexpr std::size_t kPatchLevels = 3;

/// What goes into patches for one table, written once where reviews are many. Immutable.
struct RenderedTable {
  explicit RenderedTable(const exit_codes::Table& table);

  std::string value;                            ///< of the annotation
  std::array<std::string, kPatchLevels> json;   ///< JSON text that an operation adds, by PatchLevel
  std::array<std::string, kPatchLevels> piece;  ///< `"value":JSON}` for `to_base64`, by PatchLevel
};

/// The tables of all profiles, in their order.
[[nodiscard]] std::vector<RenderedTable> render(const exit_codes::Profiles& profiles);

/// The JSON text that an operation adds where the annotation shall have `value`.
[[nodiscard]] std::string patch_value(const std::string& value, PatchLevel level);

}  // namespace admission
