#include "admission/decision.h"

#include <algorithm>

namespace admission {

std::string_view to_string(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::ignored:
      return "ignored";
    case Outcome::allowed:
      return "allowed";
    case Outcome::ratcheted:
      return "ratcheted";
    case Outcome::warned:
      return "warned";
    case Outcome::audited:
      return "audited";
    case Outcome::denied:
      return "denied";
  }
  return "ignored";
}

std::vector<std::string_view> Decision::rules() const {
  std::vector<std::string_view> rules;
  for (const jobs::Finding& finding : findings) {
    if (std::ranges::find(rules, finding.rule) == rules.end()) rules.push_back(finding.rule);
  }
  return rules;
}

}  // namespace admission
