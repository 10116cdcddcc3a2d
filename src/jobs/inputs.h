#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exit_codes/profile.h"
#include "exit_codes/table.h"
#include "jobs/job.h"

namespace jobs {

/// An input annotation that cannot be used.
struct InputProblem {
  std::string_view key;  ///< the annotation
  std::string value;     ///< what stands there
  std::string message;   ///< what to write instead
};

/// What a user's annotations on one metadata (a job's, or a replica template's) ask for. Only what
/// is sound counts; the rest is told in `problems`.
struct Inputs {
  const exit_codes::Table* profile = nullptr;  ///< one of the profiles that they were read with
  exit_codes::Overrides overrides;
  std::vector<InputProblem> problems;

  /// Whether both ask for the same; problems aside.
  [[nodiscard]] bool same_as(const Inputs& other) const {
    return profile == other.profile && overrides == other.overrides;
  }
};

/// Reads the inputs among `annotations`. Two lists of one metadata that share a code are both left
/// out, since nobody can say which was meant.
[[nodiscard]] Inputs read_inputs(const Annotations& annotations,
                                 const exit_codes::Profiles& profiles);

/// The table of a job: the profile that it names, else `fallback` (its namespace's), and its lists.
[[nodiscard]] exit_codes::Table make_table(const exit_codes::Table& fallback, const Inputs& job);

/// The table of a replica: the replica's profile, else the job's, else `fallback`; then the job's
/// lists, then the replica's; the later wins.
[[nodiscard]] exit_codes::Table make_table(const exit_codes::Table& fallback, const Inputs& job,
                                           const Inputs& replica);

}  // namespace jobs
