#pragma once

#include <string_view>
#include <variant>

#include "exit_codes/annotation.h"
#include "exit_codes/pod.h"

namespace exit_codes {

/// Reads a Pod as Kubernetes' API has it in JSON, as far as a verdict needs it: phase, reason and
/// conditions of the status, deletion, and of each container its name and its state (never
/// lastState). Unknown fields are passed over, missing ones are as their absence means; the error
/// names a field of a wrong type. Containers come in the order of the spec; those that only the
/// status names follow.
[[nodiscard]] std::variant<Pod, DecodeError> decode_pod(std::string_view json_text);

/// The table that a reader acts by: the pod's own annotation, else its job's; what cannot be read
/// is as if it were not there. An empty text is no annotation. Nothing to decide by: a DecodeError
/// that says why.
[[nodiscard]] std::variant<Table, DecodeError> read_table(std::string_view pod_annotation,
                                                          std::string_view job_annotation);

}  // namespace exit_codes
