#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "exit_codes/table.h"

namespace exit_codes {

/// The annotation keys of the contract.
inline constexpr std::string_view kAnnotationPrefix = "exit-codes.kubeflow.org/";
inline constexpr std::string_view kTableAnnotation = "exit-codes.kubeflow.org/table";
inline constexpr std::string_view kProfileAnnotation = "exit-codes.kubeflow.org/profile";
inline constexpr std::string_view kRetryableAnnotation = "exit-codes.kubeflow.org/retryable";
inline constexpr std::string_view kPermanentAnnotation = "exit-codes.kubeflow.org/permanent";
inline constexpr std::string_view kMaxRetriesAnnotation = "exit-codes.kubeflow.org/max-retries";

/// The annotation of a job in which `tfjob-webhook enforce` keeps how often each replica was
/// retried, and the finalizer by which it holds a pod until it has decided about it.
inline constexpr std::string_view kRetriesAnnotation = "exit-codes.kubeflow.org/retries";
inline constexpr std::string_view kVerdictFinalizer = "exit-codes.kubeflow.org/verdict";

/// Why the value of a table annotation cannot be read. A reader acts as if it were not there.
struct DecodeError {
  std::string message;
};

/// The canonical value of `kTableAnnotation`: fixed key order, codes ascending, no spaces. The
/// same table gives the same bytes.
[[nodiscard]] std::string encode(const Table& table);

/// Reads such a value strictly: a JSON object of version 1 with every key of the contract, none
/// twice and none besides, codes being integers from 1 to 255, on one side only. Key order and
/// white space are free.
[[nodiscard]] std::variant<Table, DecodeError> decode(std::string_view value);

}  // namespace exit_codes
