#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/node.h"

namespace lint {

enum class Severity {
  error,    ///< the webhook denies the job, or the file cannot be read as meant
  warning,  ///< the job is accepted, but does not do what it says
  note      ///< nothing is wrong
};

/// `error`, `warning`, `note`.
[[nodiscard]] std::string_view to_string(Severity severity) noexcept;

/// One rule that one place in a file breaks.
struct Finding {
  std::string_view rule;  ///< the rule's id; see lint/rules.h; static
  Severity severity = Severity::error;
  std::optional<yaml::Place> at;  ///< nothing: the file as a whole
  std::string field;  ///< field path in its document: `items[2].spec.tfReplicaSpecs[Worker]`; of a
                      ///< file that cannot be read empty
  std::string message;              ///< what is wrong and what to do about it; one line
  std::optional<yaml::Mark> alias;  ///< the alias by which the job has what stands at `at`
};

/// What was found in one file.
struct Report {
  std::vector<Finding> findings;  ///< by place
  bool unreadable = false;        ///< something in it cannot be read as meant
  std::size_t jobs = 0;           ///< how many jobs it has
};

}  // namespace lint
