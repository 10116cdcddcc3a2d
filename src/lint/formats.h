#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "lint/finding.h"

namespace lint {

/// `FILE:LINE:COLUMN: SEVERITY: FIELD: MESSAGE [RULE]`, the line of the source and a caret under
/// the place; with `explained` also where the rule is explained.
[[nodiscard]] std::string to_text(std::string_view path, std::string_view text,
                                  const Finding& finding, bool colour, bool explained);

/// An object with file, line, column, rule, severity, field and message. A file as a whole has line
/// and column 1.
[[nodiscard]] nlohmann::ordered_json to_json(std::string_view path, const Finding& finding);

/// A `result` of SARIF 2.1.0.
[[nodiscard]] nlohmann::ordered_json to_sarif(std::string_view path, const Finding& finding);

/// A SARIF log with all rules and no results; `complete`: every file could be read.
[[nodiscard]] nlohmann::ordered_json sarif_log(std::string_view version, bool complete);

/// A workflow command of GitHub Actions: `::error file=...,line=...::...`.
[[nodiscard]] std::string to_github(std::string_view path, const Finding& finding);

}  // namespace lint
