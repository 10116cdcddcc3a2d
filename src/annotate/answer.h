#pragma once

#include <string>
#include <vector>

#include "admission/patch.h"
#include "admission/settings.h"
#include "annotate/edit.h"
#include "jobs/finding.h"
#include "sources/source.h"

namespace annotate {

/// What the webhook answers to the creation of one job.
struct Answer {
  bool denied = false;
  jobs::Findings findings;
  std::vector<admission::PatchOperation> patch;  ///< of the job; empty where nothing changes
};

/// Asks as the API server does; the very code of the webhook decides. `job` is of a kind that is
/// checked. The answer refers to `settings`.
[[nodiscard]] Answer ask(const sources::Job& job, const admission::Settings& settings);

/// The operations of a patch as changes of `job`.
[[nodiscard]] std::vector<Change> changes_of(const sources::Job& job,
                                             const std::vector<admission::PatchOperation>& patch);

/// `target` and `patch` as an item of the `patches` of a kustomization; YAML.
[[nodiscard]] std::string to_kustomize(const sources::Job& job,
                                       const std::vector<admission::PatchOperation>& patch);

}  // namespace annotate
