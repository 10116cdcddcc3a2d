#include "exit_codes/nearest.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace exit_codes {
namespace {

// Twice the length of the longest profile name: what is longer is no slip of the pen, and the
// comparison takes the product of both lengths.
constexpr std::size_t kLongest = 126;

std::string fold(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c == '-' || c == '_') continue;
    folded.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return folded;
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `left` into `right` (the
/// optimal string alignment distance).
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before(right.size() + 1);
  std::vector<std::size_t> above(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped =
          i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above.back();
}

}  // namespace

std::string_view nearest(std::string_view text, std::span<const std::string_view> candidates) {
  if (text.size() > kLongest) return {};
  const std::string wanted = fold(text);
  std::string_view best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const std::string folded = fold(candidate);
    const std::size_t allowed = folded.size() / 3;
    // As many edits as the lengths differ are needed in any case.
    if (wanted.size() > folded.size() + allowed || folded.size() > wanted.size() + allowed)
      continue;
    const std::size_t edits = distance(wanted, folded);
    if (edits <= allowed && edits < best_distance) {
      best = candidate;
      best_distance = edits;
    }
  }
  return best;
}

}  // namespace exit_codes
