#pragma once

#include <string>

#include "sources/source.h"

namespace cli {

/// How people know a job: `FILE:LINE: KIND NAMESPACE/NAME`.
[[nodiscard]] std::string job_title(const std::string& file, const sources::Job& job);

}  // namespace cli
