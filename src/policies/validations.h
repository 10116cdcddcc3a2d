#pragma once

#include <string>
#include <vector>

#include "admission/settings.h"
#include "policies/variables.h"

namespace policies {

/// One check of a ValidatingAdmissionPolicy.
struct Validation {
  std::string rule;        ///< the rule's id, for a comment
  std::string expression;  ///< CEL: true where the rule is kept
  std::string message;     ///< CEL: what is wrong and how to mend it
};

/// The variables that `validations` need besides `job_variables`.
[[nodiscard]] std::vector<Variable> validation_variables(const admission::Settings& settings);

/// The rules that deny.
[[nodiscard]] std::vector<Validation> validations(const admission::Settings& settings);

}  // namespace policies
