#pragma once

#include <string>
#include <vector>

#include "admission/patch.h"
#include "jobs/job.h"

namespace admission {

/// Makes the finalizers of a template's metadata contain the one that holds pods until the enforcer
/// has decided about them (`exit_codes::kVerdictFinalizer`), or not contain it. Adds to `patch`,
/// which has what makes its annotations already, an operation or none: a list that is none is left
/// alone. `metadata_path` is the JSON Pointer of that metadata.
void set_finalizer(const std::string& metadata_path, const jobs::PodTemplate& pod_template,
                   bool wanted, std::vector<PatchOperation>& patch);

}  // namespace admission
