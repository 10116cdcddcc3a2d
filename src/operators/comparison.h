#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exit_codes/code_set.h"
#include "exit_codes/table.h"
#include "exit_codes/verdict.h"
#include "jobs/kind.h"
#include "operators/operator.h"

namespace operators {

/// A way in which a pod can end, or what comes of it.
enum class End {
  codes,         ///< its container ended with one of some exit codes
  zero,          ///< the pod failed, its container ended with 0 (a sidecar failed)
  over_255,      ///< with a code that only Windows has
  reason,        ///< with a reason that the table lists (`OOMKilled`: together with 137)
  disruption,    ///< drained, preempted, evicted, deleted
  no_exit_code,  ///< its container never ran to an end
  retry_limit    ///< it is retryable, but `max-retries` is used up
};

/// What a table says about one end of a pod, and what an operator does about it.
struct Comparison {
  End end = End::codes;
  exit_codes::CodeSet codes;                                        ///< where `end` is `codes`
  std::string reason;                                               ///< where `end` is `reason`
  exit_codes::Verdict verdict = exit_codes::Verdict::undefined;     ///< `undefined` too
  exit_codes::Verdict handled_as = exit_codes::Verdict::permanent;  ///< retryable or permanent
  std::optional<Response> response;  ///< nullopt: what the operator does is not known

  /// Whether both come to the same.
  [[nodiscard]] bool agrees() const noexcept;
};

/// All ends of a pod as `table` and an operator of that `behaviour` see them, codes grouped by what
/// both say of them, in the order of their lowest codes. Without a behaviour no response is known.
[[nodiscard]] std::vector<Comparison> compare_all(const exit_codes::Table& table,
                                                  const std::optional<Behaviour>& behaviour);

/// Those on which they part; none if `which` does not serve the kind or reads no codes of it.
[[nodiscard]] std::vector<Comparison> compare(const exit_codes::Table& table, const Operator& which,
                                              const jobs::Kind& kind);

/// What to do about a comparison that does not agree: a clause or two.
[[nodiscard]] std::string mend(const Comparison& comparison);

/// Codes in ascending order, ranges joined: `128, 129, 131-136`.
[[nodiscard]] std::string to_text(const exit_codes::CodeSet& codes);

}  // namespace operators
