#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "admission/rendered_table.h"
#include "jobs/job.h"

namespace admission {

/// One operation of a JSON Patch (RFC 6902).
struct PatchOperation {
  std::string path;                  ///< JSON Pointer
  std::optional<std::string> value;  ///< JSON text to add; nullopt: remove what is there
  /// `value` as a RenderedTable has it for base64; null: it is still to be encoded.
  const std::string* piece = nullptr;
};

/// The table annotation that one metadata shall have.
struct WantedTable {
  std::string value;                        ///< of the annotation
  const RenderedTable* rendered = nullptr;  ///< of this value, if there is one
};

/// `token` as it stands in a JSON Pointer: `~` becomes `~0` and `/` becomes `~1`.
[[nodiscard]] std::string escape_pointer(std::string_view token);

/// The operation that makes the table annotation of one metadata `wanted` (nullopt: absent), or
/// nullopt if it is so already or cannot be (a metadata or annotations that is no object).
/// `metadata_path` is the JSON Pointer of that metadata; both levels are created where missing.
[[nodiscard]] std::optional<PatchOperation> set_table(const std::string& metadata_path,
                                                      jobs::Shape metadata,
                                                      const jobs::Annotations& annotations,
                                                      const std::optional<WantedTable>& wanted);

/// The JSON text of a patch.
[[nodiscard]] std::string to_json(std::span<const PatchOperation> patch);

/// Appends the patch in base64; its JSON text has blanks between some tokens.
void append_base64(std::string& out, std::span<const PatchOperation> patch);

}  // namespace admission
