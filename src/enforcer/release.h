#pragma once

#include <expected>
#include <string>

#include <nlohmann/json.hpp>

#include "kube/api.h"

namespace enforcer {

/// The operations that take our finalizer, and nothing else, off the object at `metadata` ("" or
/// "/spec/.../template", a JSON Pointer) with these finalizers; empty if it is not among them. The
/// patch fails if the list has changed meanwhile.
[[nodiscard]] nlohmann::json release_operations(const std::string& holder,
                                                const nlohmann::json& finalizers);

/// Takes our finalizer off a pod, as long as it is the one with `uid`: a pod that is gone, or has
/// none, is fine. An error is the API server's, or that of a webhook behind it.
[[nodiscard]] std::expected<void, kube::Error> release_pod(kube::Api& api,
                                                           const std::string& name_space,
                                                           const std::string& name,
                                                           const std::string& uid);

}  // namespace enforcer
