#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exit_codes/profile.h"
#include "exit_codes/table.h"
#include "jobs/inputs.h"
#include "jobs/job.h"
#include "jobs/kind.h"

namespace jobs {

/// A replica with what follows from its kind.
struct SubjectReplica {
  const Replica* replica;
  std::size_t index;         ///< place in the document's order
  std::string_view type;     ///< as written; MASTER where a v1alpha1 replica names none
  const ReplicaType* known;  ///< null: the operator knows no such type
  Scalar policy;             ///< the restart policy where this kind has it, as written
  /// The policy that holds: the one written, or the default (empty where there is none); nullopt
  /// if what is written is none.
  std::optional<std::string_view> effective_policy;
  Inputs inputs;

  /// The type as the operator will call it.
  [[nodiscard]] std::string_view canonical_type() const noexcept {
    return known != nullptr ? known->name : type;
  }
  [[nodiscard]] bool uses_exit_code() const noexcept { return effective_policy == kExitCode; }
};

/// A job of a known kind with all that rules and tables are made from. Refers to the Job, the Kind
/// and the Profiles that it was made from.
struct Subject {
  const Kind* kind = nullptr;
  const Job* job = nullptr;
  const exit_codes::Table* fallback = nullptr;  ///< the profile of the namespace
  Shape specs = Shape::absent;                  ///< of the kind's field of replica specs
  Inputs inputs;                                ///< the job's own
  std::vector<SubjectReplica> replicas;

  /// The job's table.
  [[nodiscard]] exit_codes::Table table() const { return make_table(*fallback, inputs); }
  /// A replica's table.
  [[nodiscard]] exit_codes::Table table(const SubjectReplica& replica) const {
    return make_table(*fallback, inputs, replica.inputs);
  }

  /// `spec.tfReplicaSpecs`
  [[nodiscard]] std::string specs_path() const;
  /// `spec.tfReplicaSpecs[Worker]`, or `spec.replicaSpecs[0]`
  [[nodiscard]] std::string path(const SubjectReplica& replica) const;
  /// `spec.tfReplicaSpecs[Worker].restartPolicy`, or
  /// `spec.replicaSpecs[0].template.spec.restartPolicy`
  [[nodiscard]] std::string policy_path(const SubjectReplica& replica) const;
};

/// `METADATA.annotations[KEY]`
[[nodiscard]] std::string annotation_path(std::string_view metadata, std::string_view key);

/// Derives what follows from a job, its kind, and the profiles. All three, and the table `fallback`
/// (one of `profiles`), must outlive the result.
[[nodiscard]] Subject make_subject(const Kind& kind, const Job& job,
                                   const exit_codes::Profiles& profiles,
                                   const exit_codes::Table& fallback);

}  // namespace jobs
