#pragma once

#include <optional>
#include <string>
#include <vector>

#include "admission/patch.h"
#include "admission/settings.h"
#include "jobs/finding.h"
#include "jobs/subject.h"

namespace admission {

/// The table annotations that a job shall have.
struct TablePlan {
  std::optional<WantedTable> job;                    ///< nullopt: none
  std::vector<std::optional<WantedTable>> replicas;  ///< by the subject's replicas; nullopt: none
  std::string profile;                               ///< of the job's table
  bool anew = true;         ///< made from the settings of this moment; false: those of before stay
  jobs::Findings findings;  ///< warnings: a user's edit that is undone, a table that finds no room
};

/// Decides which tables `subject` shall have (DESIGN section 3). `old` is the stored object on
/// UPDATE, null on CREATE: its tables stay unless the job's own inputs, an effective policy or the
/// set of replica types changed, and each unless it is missing, unreadable or contradicts the
/// user's inputs. `settings` are those that `subject` was made with; the plan refers to them.
[[nodiscard]] TablePlan plan_tables(const jobs::Subject& subject, const jobs::Subject* old,
                                    const Settings& settings);

}  // namespace admission
