#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace enforcer {

/// How often one replica was retried.
struct ReplicaRetries {
  int count = 0;
  std::string pod;            ///< uid of the last pod that was counted
  std::uint64_t version = 0;  ///< resource version at which that one's failure was seen

  [[nodiscard]] bool operator==(const ReplicaRetries&) const = default;
};

/// The retries of a job since it was created or, if it was suspended, last resumed: the value of
/// the annotation exit-codes.kubeflow.org/retries. A value.
struct Retries {
  std::string job;      ///< uid: a copy of the job has its own
  std::string resumed;  ///< when it was last resumed; empty: it was not suspended
  std::map<std::string, ReplicaRetries> replicas;  ///< by "worker-0"

  /// Whether a pod was counted already, or is older than one that was.
  [[nodiscard]] bool has(const std::string& replica, const std::string& pod,
                         std::uint64_t version) const;
  [[nodiscard]] int count(const std::string& replica) const;
  /// Counts a pod; more than once counts once.
  void add(const std::string& replica, const std::string& pod, std::uint64_t version);

  [[nodiscard]] bool operator==(const Retries&) const = default;
};

/// `{"version":1,"job":UID,"resumed":TIME,"replicas":{"worker-0":{"retries":2,"pod":UID,
/// "resourceVersion":"7"}}}`; `resumed` only where there is one.
[[nodiscard]] std::string encode(const Retries& retries);

/// Reads such a value of the job `uid`, last resumed at `resumed`. What is of another job or of
/// another time, or cannot be read, counts as none.
[[nodiscard]] Retries decode_retries(std::string_view value, const std::string& uid,
                                     const std::string& resumed);

}  // namespace enforcer
