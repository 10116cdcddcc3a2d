#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace bench {

/// A TFJob with an `ExitCode` worker, as kubectl and the API server send it (with managedFields and
/// the last applied configuration), in an AdmissionReview of exactly `size` bytes, or of the
/// smallest possible size where that is larger.
[[nodiscard]] std::string review_of_size(std::size_t size);

/// The AdmissionReview of `job`, with the fields that the API server fills in.
[[nodiscard]] std::string review_of(const nlohmann::ordered_json& job);

}  // namespace bench
