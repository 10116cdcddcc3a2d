#include "exit_codes/verdict.h"

namespace exit_codes {

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::retryable:
      return "retryable";
    case Verdict::permanent:
      return "permanent";
    case Verdict::undefined:
      break;
  }
  return "undefined";
}

std::optional<Verdict> parse_actionable_verdict(std::string_view text) noexcept {
  if (text == "retryable") return Verdict::retryable;
  if (text == "permanent") return Verdict::permanent;
  return std::nullopt;
}

}  // namespace exit_codes
