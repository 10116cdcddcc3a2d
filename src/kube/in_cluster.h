#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "kube/credentials.h"

namespace kube {

/// Where the kubelet puts what a pod needs to reach the API server.
inline constexpr const char* kServiceAccountFolder =
    "/var/run/secrets/kubernetes.io/serviceaccount";

/// The credentials of the pod that this program runs in: its service account's token, which is read
/// again as it is rotated, and the address in KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT.
/// nullopt where neither variable is set: not in a pod. The error says what is missing.
[[nodiscard]] std::expected<std::optional<Credentials>, std::string> in_cluster(
    const std::filesystem::path& folder = kServiceAccountFolder);

}  // namespace kube
