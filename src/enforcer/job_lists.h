#pragma once

#include <expected>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "enforcer/job_ref.h"
#include "kube/api.h"

namespace enforcer {

/// Calls `on_object` for each object of a collection, page by page, with `label_selector` if it is
/// not empty. A collection that the API server does not have, since the kind is not installed, is
/// empty.
[[nodiscard]] std::expected<void, kube::Error> for_each_object(
    kube::Api& api, const std::string& path, const std::string& label_selector,
    const std::function<void(const nlohmann::json&)>& on_object);

/// For each job of one kind, in one namespace or (empty) all.
[[nodiscard]] std::expected<void, kube::Error> for_each_job(
    kube::Api& api, const JobKind& kind, const std::string& name_space,
    const std::function<void(const nlohmann::json&)>& on_object);

}  // namespace enforcer
