#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/error.h"
#include "yaml/node.h"

namespace yaml {

/// How deep collections may be nested, aliases resolved.
inline constexpr std::size_t kMaxDepth = 200;

/// How many nodes one text may have; each takes some 200 bytes of memory.
inline constexpr std::size_t kMaxNodes = 2'000'000;

/// What to say of a text that has more.
[[nodiscard]] std::string too_many_nodes();

/// How many nodes the aliases and merge keys of one text may stand for in all. go-yaml has about
/// the same limit.
inline constexpr std::size_t kMaxAliasedNodes = 400'000;

/// How many bytes of text those nodes may have in all.
inline constexpr std::size_t kMaxAliasedBytes = std::size_t{32} << 20U;

/// One document of a text.
struct Document {
  Node root;  ///< null for an empty document
};

/// What can be read of a text.
struct Stream {
  std::vector<Document> documents;  ///< those before the error, if there is one
  std::optional<Error> error;
};

/// Reads a text of any number of YAML documents as kubectl does; none if it has nothing but
/// comments.
///
/// Aliases and merge keys are resolved. A merge key's entries stand in its place, so that what is
/// written behind it wins over them, and they over what is written before it; of several mappings
/// the first wins (go-yaml v2's rules). Keys that kubectl refuses are errors (see `key_name`), and
/// so are the limits above, anchors that contain themselves, and text that is not UTF-8; a UTF-8
/// byte order mark is fine. The first error ends the reading. Thread-safe.
[[nodiscard]] std::expected<std::vector<Document>, Error> parse(std::string_view text);

/// As `parse`, but what comes before the error is not lost.
[[nodiscard]] Stream parse_stream(std::string_view text);

}  // namespace yaml
