#pragma once

#include <optional>
#include <string_view>

#include "config/error.h"
#include "exit_codes/code_set.h"
#include "exit_codes/verdict.h"
#include "yaml/node.h"

namespace config {

// Readers of the fields that only profiles have; see fields.h for `path` and errors.

/// Exit codes: a string as in the annotations ("42, 100-110, SIGUSR2"), one number, or a list of
/// items. Items that are wrong are left out.
[[nodiscard]] exit_codes::CodeSet read_codes(const yaml::Node& node, std::string_view path,
                                             ErrorList& errors);

/// A number from 0 to exit_codes::kMaxMaxRetries.
[[nodiscard]] std::optional<int> read_max_retries(const yaml::Node& node, std::string_view path,
                                                  ErrorList& errors);

/// `retryable` or `permanent`.
[[nodiscard]] std::optional<exit_codes::Verdict> read_verdict(const yaml::Node& node,
                                                              std::string_view path,
                                                              ErrorList& errors);

}  // namespace config
