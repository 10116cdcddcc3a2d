#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "admission/decide.h"
#include "admission/settings.h"

namespace support {

/// What an AdmissionReview asks, besides the object.
struct ReviewSpec {
  std::string operation = "CREATE";
  nlohmann::ordered_json old_object = nullptr;  ///< null on CREATE
  std::string name_space = "default";
  std::string api_version = "admission.k8s.io/v1";
};

/// The AdmissionReview that the API server would send for `object`.
[[nodiscard]] nlohmann::ordered_json make_review(const nlohmann::ordered_json& object,
                                                 const ReviewSpec& spec = {});

/// The answer of the admission library to a review given as bytes, in JSON. Throws if the bytes
/// are no review.
[[nodiscard]] nlohmann::ordered_json answer(
    const std::string& review, const admission::Settings& settings = {},
    admission::Endpoint endpoint = admission::Endpoint::mutate);

/// The patch in a response, decoded by code that is not the webhook's; an empty list if it has
/// none.
[[nodiscard]] nlohmann::ordered_json patch_of(const nlohmann::ordered_json& response);

/// `object` with the patch of `response` applied by nlohmann's JSON Patch.
[[nodiscard]] nlohmann::ordered_json patched(const nlohmann::ordered_json& object,
                                             const nlohmann::ordered_json& response);

/// Bytes that base64 text stands for. Throws if it is none.
[[nodiscard]] std::string base64_decode(const std::string& text);

}  // namespace support
