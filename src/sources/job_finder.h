#pragma once

#include <cstddef>

#include "sources/source.h"
#include "yaml/node.h"

namespace sources {

/// An offset in a place of which only the line and column are known.
inline constexpr std::size_t kUnknownOffset = static_cast<std::size_t>(-1);

/// Adds to `source` the jobs in the document `root`, keys given twice, and jobs inside strings.
/// `document` is its number. What aliases and merge keys repeat is looked at where it is written.
/// Errors may have unknown offsets.
void find_jobs(const yaml::Node& root, std::size_t document, Source& source);

}  // namespace sources
