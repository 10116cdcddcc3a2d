#pragma once

#include <array>
#include <compare>
#include <span>
#include <string>
#include <string_view>

#include "jobs/kind.h"
#include "kube/path.h"

namespace enforcer {

/// A kind of job that training-operator runs by exit codes: all of its kinds but MPIJob.
struct JobKind {
  const jobs::Kind* kind = nullptr;
  kube::Resource resource;
};

/// All of them, in group kubeflow.org, version v1.
[[nodiscard]] std::span<const JobKind> job_kinds();

/// The row of a kind, or null.
[[nodiscard]] const JobKind* find_job_kind(std::string_view api_version, std::string_view kind);

/// Which job is meant. Two of one name are told apart by their uid. Without a kind it stands for a
/// single pod, whose name and uid it has: one that no job of ours controls and that we hold.
struct JobRef {
  const JobKind* kind = nullptr;
  std::string name_space;
  std::string name;
  std::string uid;

  /// Of the job; only where there is a kind.
  [[nodiscard]] std::string path(std::string_view subresource = {}) const {
    return kube::path_of(kind->resource, name_space, name, subresource);
  }
  [[nodiscard]] auto operator<=>(const JobRef& other) const = default;
};

/// `apiVersion` of all these kinds.
inline constexpr std::string_view kJobApiVersion = "kubeflow.org/v1";

}  // namespace enforcer
