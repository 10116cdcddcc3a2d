#pragma once

#include <string>

#include "jobs/finding.h"

namespace admission {

/// A finding as a warning header: one line of at most 120 bytes (Kubernetes asks for that many
/// characters) without control characters. Where it is longer, the field path loses its beginning
/// first, since the message says what to do, then the message its end.
[[nodiscard]] std::string warning_line(const jobs::Finding& finding);

}  // namespace admission
