#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/finding.h"

namespace lint {

/// How findings are written: for people; as JSON, an array of objects; as SARIF 2.1.0; as workflow
/// commands of GitHub Actions.
enum class Format { text, json, sarif, github };

/// Writes reports one after the other, so that only one file needs to be in memory.
class Output {
 public:
  /// `colour`: with ANSI escapes, in text. `version` is the program's.
  Output(Format format, bool colour, std::string_view version);

  /// What comes before the first report.
  [[nodiscard]] std::string begin() const;

  /// The findings of the file `path`, whose text is `text`.
  [[nodiscard]] std::string add(std::string_view path, std::string_view text, const Report& report);

  /// What comes behind the last report. `complete`: every file could be read.
  [[nodiscard]] std::string end(bool complete) const;

 private:
  Format format_;
  bool colour_;
  std::string version_;
  bool first_ = true;  ///< nothing was written yet
  std::vector<bool>
      explained_;  ///< by `rule_index`: whether text has told where a rule is explained
};

}  // namespace lint
