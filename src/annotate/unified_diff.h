#pragma once

#include <span>
#include <string>
#include <string_view>

#include "annotate/edit.h"

namespace annotate {

/// The unified diff that `patch -p1` and `git apply` take: of the file `path`, whose text is
/// `text`, to the same with `edits` (in the order of their places, not overlapping). Empty where
/// nothing changes.
[[nodiscard]] std::string unified_diff(std::string_view path, std::string_view text,
                                       std::span<const Edit> edits);

}  // namespace annotate
