#pragma once

#include "admission/decision.h"
#include "admission/review.h"
#include "admission/settings.h"

namespace admission {

/// Which webhook is asked. Both give the same verdict; only `mutate` writes tables.
enum class Endpoint { mutate, validate };

[[nodiscard]] std::string_view to_string(Endpoint endpoint) noexcept;

/// Decides about a review (DESIGN sections 4 and 5). A pure function of its arguments.
[[nodiscard]] Decision decide(const Review& review, Endpoint endpoint, const Settings& settings);

}  // namespace admission
