#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "exit_codes/code_set.h"
#include "exit_codes/verdict.h"

namespace exit_codes {

inline constexpr int kTableVersion = 1;             ///< the version of the annotation that we write
inline constexpr int kMaxMaxRetries = 999'999'999;  ///< the highest value of `max-retries`

/// The reason that a container runtime gives for an out-of-memory kill. In `Table::reasons` it
/// holds only together with code 137: runtimes also give it when a child of the container's
/// process was killed and the process itself ended some other way.
inline constexpr const char* kOomKilled = "OOMKilled";

/// An exit-code table: what each end of a replica means. A value; not synchronised.
struct Table {
  std::string profile;                        ///< name of the profile that it was made from
  CodeSet permanent;                          ///< disjoint from `retryable`
  CodeSet retryable;                          ///< disjoint from `permanent`
  Verdict undefined = Verdict::permanent;     ///< how a code in neither set is handled
  std::map<std::string, Verdict> reasons;     ///< container or pod reason to verdict
  Verdict disruption = Verdict::retryable;    ///< drain, preemption, eviction, deletion
  Verdict no_exit_code = Verdict::retryable;  ///< the job's container never ran to an end
  std::optional<int> max_retries;             ///< 0 to kMaxMaxRetries, per replica

  /// What the lists say of `code`, any integer: `undefined` if it is in neither.
  [[nodiscard]] Verdict verdict_of(std::int64_t code) const noexcept;

  /// What `verdict` is acted on as: `undefined` becomes the table's own fallback.
  [[nodiscard]] Verdict handled_as(Verdict verdict) const noexcept {
    return verdict == Verdict::undefined ? undefined : verdict;
  }

  [[nodiscard]] bool operator==(const Table& other) const = default;
};

/// What a user, or one profile over another, changes in a table.
struct Overrides {
  CodeSet retryable;               ///< codes that become retryable; disjoint from `permanent`
  CodeSet permanent;               ///< codes that become permanent
  std::optional<int> max_retries;  ///< replaces the table's

  [[nodiscard]] bool operator==(const Overrides& other) const = default;
};

/// Moves the codes of `overrides` to their side of `table` and sets its `max_retries` if given.
void apply(const Overrides& overrides, Table& table);

}  // namespace exit_codes
