#pragma once

#include <string>
#include <vector>

#include "jobs/finding.h"
#include "jobs/subject.h"
#include "sources/source.h"

namespace lint {

/// Appends findings for annotations, of the job and of its templates, that are no strings; every
/// annotation, not only ours. What reaches the webhook has none of them.
void annotation_not_string(const sources::Job& source, const jobs::Subject& subject,
                           jobs::Findings& findings);

/// Appends findings for tables that a manifest brings along.
void table_in_source(const jobs::Subject& subject, jobs::Findings& findings);

/// The finding for a job of a version that is not checked.
[[nodiscard]] jobs::Finding unchecked_version(const sources::Job& source);

}  // namespace lint
