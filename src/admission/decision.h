#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "admission/patch.h"
#include "jobs/finding.h"

namespace admission {

/// How a review ended, and why.
enum class Outcome {
  ignored,    ///< nothing that we judge: another kind, a deletion, a subresource
  allowed,    ///< no finding that denies
  ratcheted,  ///< allowed, because the stored object has the same faults already
  warned,     ///< would be denied, but enforcement is `warn`
  audited,    ///< would be denied, but enforcement is `audit`
  denied
};

[[nodiscard]] std::string_view to_string(Outcome outcome) noexcept;

/// What is decided about a review. `write_response` turns it into bytes. Refers to the Settings
/// that it was decided by.
struct Decision {
  Outcome outcome = Outcome::ignored;
  jobs::Findings findings;  ///< all; those of severity `denied` deny if the outcome is `denied`
  std::vector<std::string> warnings;  ///< lines for the user, each at most 120 bytes
  std::vector<PatchOperation> patch;  ///< empty: nothing changes
  std::string profile;                ///< of the job's table; empty where there is none
  std::string name;                   ///< of the object, for messages; may be empty

  [[nodiscard]] bool allowed() const noexcept { return outcome != Outcome::denied; }
  /// The ids of the rules that fired, each once, in order.
  [[nodiscard]] std::vector<std::string_view> rules() const;
};

}  // namespace admission
