#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace exit_codes {

/// `state.terminated` of a container status.
struct Terminated {
  std::int64_t exit_code = 0;               ///< any integer: Windows has codes over 255
  std::string reason;                       ///< "Error", "OOMKilled", ...; may be empty
  std::optional<std::int64_t> finished_at;  ///< seconds since the epoch
};

/// A container of a pod that ended, with what its status says.
struct Container {
  std::string name;
  std::optional<Terminated> terminated;  ///< absent: it never ran to an end
  bool restartable = false;              ///< an init container with restartPolicy Always: a sidecar
};

/// What a verdict needs to know of a pod that ended. The fields are those of Kubernetes' Pod.
struct Pod {
  bool succeeded = false;                          ///< status.phase is Succeeded (else Failed)
  std::string reason;                              ///< status.reason; may be empty
  bool disruption_target = false;                  ///< condition DisruptionTarget is "True"
  std::optional<std::int64_t> deletion_timestamp;  ///< seconds since the epoch
  std::int64_t deletion_grace_period = 0;          ///< seconds
  std::vector<Container> init_containers;          ///< in the order of the spec
  std::vector<Container> containers;               ///< in the order of the spec
};

}  // namespace exit_codes
