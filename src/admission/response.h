#pragma once

#include <string>

#include "admission/decision.h"
#include "admission/review.h"

namespace admission {

/// The AdmissionReview that answers `review`, as JSON: the one place where a decision becomes
/// bytes. Invalid UTF-8 in user text is replaced, never passed on.
[[nodiscard]] std::string write_response(const Review& review, const Decision& decision);

/// The sentence of a denial that clients without a list of causes show:
/// `TFJob.kubeflow.org "mnist" is invalid: [FIELD: MESSAGE, FIELD: MESSAGE]`.
[[nodiscard]] std::string denial_message(const Review& review, const Decision& decision);

}  // namespace admission
