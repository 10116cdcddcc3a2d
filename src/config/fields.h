#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "yaml/node.h"

namespace config {

// Readers of single fields. `path` names a field in messages ("profiles.my-cloud.extends"). Each
// reports what is wrong and gives nothing then.

/// The path of `key` below `parent`, which is empty for the file itself.
[[nodiscard]] std::string path_of(std::string_view parent, std::string_view key);

/// The path of an item of the list at `parent`, counted from 0.
[[nodiscard]] std::string path_of(std::string_view parent, std::size_t index);

/// "a, b, c".
[[nodiscard]] std::string join(std::span<const std::string_view> names);

/// What to write instead of `text` where only `known` names will do: the nearest, and all of them.
[[nodiscard]] std::string advice(std::string_view text, std::span<const std::string_view> known);

/// Reports each key of the mapping `node` that is given twice.
void check_duplicates(const yaml::Node& node, ErrorList& errors);

/// Checks that `node` is a mapping without duplicate keys and with no others than `known`; reports
/// what it has besides, and says whether it is a mapping at all.
[[nodiscard]] bool check_mapping(const yaml::Node& node, std::string_view path,
                                 std::span<const std::string_view> known, ErrorList& errors);

/// A string; not a number or boolean, which it would be in another version of YAML or without
/// quotes.
[[nodiscard]] std::optional<std::string> read_string(const yaml::Node& node, std::string_view path,
                                                     ErrorList& errors);

/// One of `words`, quoted or not: its index.
[[nodiscard]] std::optional<std::size_t> read_word(const yaml::Node& node, std::string_view path,
                                                   std::span<const std::string_view> words,
                                                   ErrorList& errors);

/// "a mapping", "a list", "a number", ...: what `node` is.
[[nodiscard]] std::string_view describe_type(const yaml::Node& node);

}  // namespace config
