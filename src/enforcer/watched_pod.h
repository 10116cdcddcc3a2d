#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "enforcer/job_ref.h"
#include "exit_codes/pod.h"

namespace enforcer {

/// The labels that training-operator gives every pod.
inline constexpr const char* kJobNameLabel = "training.kubeflow.org/job-name";
inline constexpr const char* kReplicaTypeLabel = "training.kubeflow.org/replica-type";
inline constexpr const char* kReplicaIndexLabel = "training.kubeflow.org/replica-index";

/// How much of what a container wrote on its end is kept, in bytes.
inline constexpr std::size_t kMaxTerminationMessage = 1000;

/// How a pod failed.
struct PodEnd {
  exit_codes::Pod pod;        ///< without its deletion where that came after its end
  std::string message;        ///< termination message of the job's container, cut; or the pod's own
  std::uint64_t version = 0;  ///< resource version at which the failure was seen
  std::chrono::steady_clock::time_point seen_at{};
};

/// What is kept of a pod of a job.
struct WatchedPod {
  enum class Phase { active, succeeded, failed };  ///< active: pending, running, or not known

  JobRef job;  ///< its controller owner; without a kind: none of ours, but it is held
  std::string name;
  std::string uid;
  std::string created;       ///< creationTimestamp, as written
  std::string replica_type;  ///< as its label has it: lower case
  std::string replica_index;
  std::shared_ptr<const std::string> table;  ///< the annotation; null: none
  Phase phase = Phase::active;
  bool running = false;               ///< phase Running
  bool deleting = false;              ///< has a deletionTimestamp
  bool held = false;                  ///< has our finalizer
  std::shared_ptr<const PodEnd> end;  ///< of a failed one; else null

  /// "worker-0": what retries are counted by.
  [[nodiscard]] std::string replica() const { return replica_type + "-" + replica_index; }
};

/// How the container of that name ended; null: it has not, or there is none.
[[nodiscard]] const exit_codes::Terminated* end_of_container(const exit_codes::Pod& pod,
                                                             std::string_view name);

/// Reads a pod of the API in JSON. `before` is what was known of it, or null: of a failed pod that
/// is being deleted it tells which came first. nullopt: not a pod of ours, that is one whose
/// controller owner is a job of `job_kinds`.
[[nodiscard]] std::optional<WatchedPod> read_pod(const nlohmann::json& object,
                                                 const WatchedPod* before);

/// What the tables of many pods have in common is kept once.
[[nodiscard]] std::shared_ptr<const std::string> interned(const std::string& text);

}  // namespace enforcer
