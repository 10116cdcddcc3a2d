#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "exit_codes/code_set.h"
#include "jobs/kind.h"

namespace operators {

/// What an operator does about a failed pod of a replica under ExitCode.
enum class Response {
  retries,  ///< the pod is deleted and created anew
  fails,    ///< the job fails
  hangs,    ///< neither: the job stays Restarting, and the pod is not created anew
  by_code   ///< what happens depends on the exit code alone
};

/// Which exit codes an operator retries.
enum class Schema {
  listed,   ///< 130, 137, 138 and 143: the table of pull request 518
  from_128  ///< all from 128 up
};

/// A kind in some versions, as one operator serves it.
struct Service {
  std::string_view kind;
  std::span<const std::string_view> versions;
  /// What follows a code that is not retried; nullopt: no code is read.
  std::optional<Response> otherwise;
  /// Under Always and OnFailure a failed pod (evicted, say) is created anew; else it fails the job.
  bool recreates_failed = false;
};

/// A known operator version. Its patch releases behave alike.
struct Operator {
  std::string_view name;  ///< `training-operator/1.9`
  Schema schema;
  bool reads_backoff_limit;
  bool fails_deleted_tfjobs;  ///< a Running pod that is being deleted counts as failed
  std::span<const Service> services;

  /// How it serves a kind in one version, or null.
  [[nodiscard]] const Service* find_service(std::string_view kind,
                                            std::string_view version) const noexcept;
};

/// The operator that is meant where nobody names one.
inline constexpr std::string_view kDefaultOperator = "training-operator/1.9";

/// All known versions, oldest first.
[[nodiscard]] std::span<const Operator> known_operators() noexcept;

/// The operator called `name`: `training-operator/1.9`, also with a patch version and a `v`
/// (`training-operator/v1.9.3`). The error says which are known, and which one is nearest.
[[nodiscard]] std::expected<const Operator*, std::string> find_operator(std::string_view name);

/// What an operator does about failed pods of one kind under ExitCode (v1alpha1: any policy).
struct Behaviour {
  exit_codes::CodeSet retried;           ///< the codes that are retried
  Response otherwise = Response::fails;  ///< what follows the other codes, 0 in a failed pod too
  Response over_255 = Response::fails;   ///< codes that only Windows has
  /// The container has no terminated state; nullopt: not known.
  std::optional<Response> no_exit_code;
  bool reads_oom_killed = false;  ///< the reason OOMKilled is permanent, whatever the code
  /// A Running pod is being deleted: drained, preempted, evicted, by hand.
  Response deleted = Response::by_code;

  [[nodiscard]] Response on_code(std::int64_t code) const noexcept {
    if (code > exit_codes::kMaxCode) return over_255;
    return retried.contains(code) ? Response::retries : otherwise;
  }
};

/// What `which` does about failed pods of a kind; nullopt if it serves none of its versions, or
/// reads no codes of it.
[[nodiscard]] std::optional<Behaviour> behaviour_of(const Operator& which, const jobs::Kind& kind);

/// What a restart policy other than ExitCode comes to in the hands of an operator: a clause for
/// each thing to know. `policy` is Always, OnFailure or Never.
[[nodiscard]] std::string describe_policy(const Operator& which, const Service& service,
                                          std::string_view policy);

}  // namespace operators
