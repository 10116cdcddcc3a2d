#pragma once

#include <optional>
#include <string_view>

namespace exit_codes {

/// What the end of a replica means for its job.
enum class Verdict {
  retryable,  ///< worth another try: the cause lies outside the program
  permanent,  ///< the same would happen again: the job fails
  undefined   ///< nobody said; a table tells what it is handled as
};

/// "retryable", "permanent" or "undefined": the words of the annotation.
[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

/// Reads "retryable" or "permanent", the two verdicts that can be acted on; nullopt for any other.
[[nodiscard]] std::optional<Verdict> parse_actionable_verdict(std::string_view text) noexcept;

}  // namespace exit_codes
