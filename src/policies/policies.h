#pragma once

#include <string>

#include "admission/settings.h"

namespace policies {

/// `settings` as ValidatingAdmissionPolicies, one for each enforcement that occurs, and a
/// MutatingAdmissionPolicy (admissionregistration.k8s.io/v1, Kubernetes 1.36), with bindings: YAML,
/// whose comments say what it leaves out.
[[nodiscard]] std::string write_policies(const admission::Settings& settings);

}  // namespace policies
