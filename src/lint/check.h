#pragma once

#include <string_view>

#include "admission/settings.h"
#include "lint/finding.h"

namespace lint {

/// Reads a file's text and judges its jobs: the findings that the webhook would have, with the
/// profiles and the namespaces of `settings`, whatever is enforced there, those that only a file
/// shows, and where the operator of `settings` parts from a table. Thread-safe; never throws for
/// what is in the text.
[[nodiscard]] Report check(std::string_view text, const admission::Settings& settings);

/// The report of a file that cannot be read at all.
[[nodiscard]] Report unreadable(std::string message);

}  // namespace lint
