#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "admission/settings.h"
#include "config/error.h"

namespace config {

/// The only `apiVersion` and `kind` that a configuration file has.
inline constexpr std::string_view kApiVersion = "exit-codes.kubeflow.org/v1alpha1";
inline constexpr std::string_view kKind = "WebhookConfiguration";

/// The largest file that is read, in bytes; a ConfigMap holds at most 1 MiB.
inline constexpr std::size_t kMaxFileSize = std::size_t{4} << 20U;

/// Reads a configuration file's text (docs/configuration.md says what is in it). `file_name` stands
/// before each error. All errors are given together in the order of the file, apart from those of
/// YAML's own syntax, of which there is one. Never throws for what is in the text. Thread-safe.
[[nodiscard]] std::expected<admission::Settings, std::vector<Error>> parse(
    std::string_view text, std::string_view file_name);

/// Reads the file at `path`; one that cannot be read is an error without a place.
[[nodiscard]] std::expected<admission::Settings, std::vector<Error>> load(const std::string& path);

}  // namespace config
