#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sources/source.h"

namespace annotate {

/// A part of a text, and what shall stand there instead.
struct Edit {
  std::size_t begin = 0;  ///< offset of its first byte
  std::size_t end = 0;    ///< behind its last byte
  std::string text;

  [[nodiscard]] bool operator==(const Edit&) const = default;
};

/// A change of one job: an operation of a JSON Patch, `add` or `remove`.
struct Change {
  const sources::Job* job = nullptr;
  std::vector<std::string> path;  ///< the tokens of its pointer, unescaped; never empty
  std::string value;              ///< JSON; empty: what is there is removed
};

/// The edits of the file `text`, in the order of their places, that make `changes` (those of one
/// job one after the other) in it and nothing else; comments, quotes and order stay as they are.
/// Where a place is shared by an anchor or a merge key and must differ, what they stand for is
/// written out. An error says why it cannot be done.
[[nodiscard]] std::expected<std::vector<Edit>, std::string> make_edits(
    std::string_view text, std::span<const Change> changes);

/// `text` with `edits`, which are in the order of their places and do not overlap.
[[nodiscard]] std::string with_edits(std::string_view text, std::span<const Edit> edits);

}  // namespace annotate
