#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exit_codes/table.h"
#include "jobs/finding.h"
#include "jobs/subject.h"
#include "operators/comparison.h"
#include "operators/operator.h"

namespace explain {

/// What one replica of a job comes to.
struct Replica {
  std::string type;         ///< as the operator will call it
  std::string policy;       ///< the one that holds; empty: none, or none that is known
  bool is_default = false;  ///< nothing is written, so the operator's default holds
  /// The table that its pods carry; nullopt: its policy reads no codes.
  std::optional<exit_codes::Table> table;
  std::vector<operators::Comparison> ends;  ///< all ends of a pod; empty where there is no table
  std::string note;  ///< what else there is to say of the replica; may be empty
};

/// What a job comes to in the hands of an operator.
struct Explanation {
  std::string kind;
  std::string version;
  std::string operator_name;
  std::vector<Replica> replicas;   ///< in the order of the document
  std::vector<std::string> notes;  ///< what holds for the whole job
};

/// Explains a job of that version (`v1`) to somebody whose operator is `which`. Inputs and policies
/// that are not sound are left out of it, as the webhook does under `warn`.
[[nodiscard]] Explanation explain(const jobs::Subject& subject, std::string_view version,
                                  const operators::Operator& which);

/// What a comparison is about, for people: "codes 1, 2", "reason OOMKilled with 137".
[[nodiscard]] std::string describe(const operators::Comparison& comparison,
                                   const exit_codes::Table& table);

/// What the table says: "retryable", "undefined, so permanent".
[[nodiscard]] std::string table_says(const operators::Comparison& comparison);

/// What the operator does: "retries", "fails the job", ...
[[nodiscard]] std::string operator_does(const operators::Comparison& comparison);

}  // namespace explain
