#pragma once

#include <string_view>

#include "jobs/finding.h"
#include "jobs/job.h"
#include "jobs/subject.h"

namespace jobs {

/// All findings of a job: those that deny it first, each rule's in document order.
[[nodiscard]] Findings check(const Subject& subject);

/// The finding for something that is no job at all: not an object.
[[nodiscard]] Finding not_an_object(Shape shape, std::string_view kind);

}  // namespace jobs
