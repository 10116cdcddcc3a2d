#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "explain/explanation.h"

namespace explain {

/// For people, at most 80 columns wide where words allow; `title` names the job and its place.
[[nodiscard]] std::string to_text(const Explanation& explanation, const std::string& title);

/// An object with `kind`, `version`, `operator`, `notes` and `replicas`: each with `type`,
/// `policy`, `default`, `note`, and where it has a table with `table` (as in the annotation) and
/// `ends`: each with `end`, `codes` or `reason`, `verdict`, `handledAs`, `operator` (null: not
/// known), `differs` and, where it does, `mend`.
[[nodiscard]] nlohmann::ordered_json to_json(const Explanation& explanation);

}  // namespace explain
