#include "annotate/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace annotate {
namespace {

constexpr std::size_t kContext = 3;

using Lines = std::vector<std::string_view>;

/// The lines of `text`, each with its line break.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// Lines of the old text, from `first`, and those that come in their place.
struct Region {
  std::size_t first = 0;
  std::size_t count = 0;
  std::vector<std::string> fresh;
};

/// Without the lines at its beginning and end that stay.
void trim(Region& region, const Lines& old) {
  while (region.count > 0 && !region.fresh.empty() && old[region.first] == region.fresh.front()) {
    ++region.first;
    --region.count;
    region.fresh.erase(region.fresh.begin());
  }
  while (region.count > 0 && !region.fresh.empty() &&
         old[region.first + region.count - 1] == region.fresh.back()) {
    --region.count;
    region.fresh.pop_back();
  }
}

std::vector<Region> regions_of(std::string_view text, const Lines& old,
                               std::span<const Edit> edits) {
  std::vector<std::size_t> starts;
  starts.reserve(old.size() + 1);
  for (const std::string_view line : old) {
    starts.push_back(static_cast<std::size_t>(line.data() - text.data()));
  }
  starts.push_back(text.size());
  const auto line_at = [&](std::size_t offset) {
    const auto next = std::upper_bound(starts.begin(), starts.end() - 1, offset);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - starts.begin() - 1, 0));
  };
  std::vector<Region> regions;
  for (std::size_t i = 0; i < edits.size();) {
    const std::size_t first = line_at(edits[i].begin);
    std::size_t last = line_at(edits[i].end);
    std::size_t end = i + 1;
    for (; end < edits.size() && line_at(edits[end].begin) <= last; ++end) {
      last = line_at(edits[end].end);
    }
    const std::size_t stop = std::min(last + 1, old.size());
    std::vector<Edit> moved(edits.begin() + static_cast<std::ptrdiff_t>(i),
                            edits.begin() + static_cast<std::ptrdiff_t>(end));
    for (Edit& edit : moved) {
      edit.begin -= starts[first];
      edit.end -= starts[first];
    }
    const std::string fresh =
        with_edits(text.substr(starts[first], starts[stop] - starts[first]), moved);
    const Lines fresh_lines = lines_of(fresh);
    Region region{first, stop - first, {fresh_lines.begin(), fresh_lines.end()}};
    trim(region, old);
    if (region.count > 0 || !region.fresh.empty()) regions.push_back(std::move(region));
    i = end;
  }
  return regions;
}

std::string marked(char mark, std::string_view line) {
  std::string out = mark + std::string(line);
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  return out;
}

/// `regions` with the lines around them, none of which is more than twice the context away from the
/// next; `shift` is by how much the new text is longer before them.
std::string hunk(const Lines& old, std::span<const Region> regions, std::ptrdiff_t& shift) {
  const std::size_t first = regions.front().first - std::min(regions.front().first, kContext);
  const std::size_t behind = regions.back().first + regions.back().count;
  const std::size_t end = std::min(behind + kContext, old.size());
  std::string body;
  std::size_t at = first;
  std::size_t fresh = 0;
  const auto keep = [&](std::size_t up_to) {
    for (; at < up_to; ++at, ++fresh) body += marked(' ', old[at]);
  };
  for (const Region& region : regions) {
    keep(region.first);
    for (; at < region.first + region.count; ++at) body += marked('-', old[at]);
    for (const std::string& line : region.fresh) body += marked('+', line);
    fresh += region.fresh.size();
  }
  keep(end);
  const std::size_t count = end - first;
  const auto start = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first) + shift);
  shift += static_cast<std::ptrdiff_t>(fresh) - static_cast<std::ptrdiff_t>(count);
  return "@@ -" + std::to_string(first + 1) + "," + std::to_string(count) + " +" +
         std::to_string(start + 1) + "," + std::to_string(fresh) + " @@\n" + body;
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view text,
                         std::span<const Edit> edits) {
  const Lines old = lines_of(text);
  const std::vector<Region> regions = regions_of(text, old, edits);
  if (regions.empty()) return {};
  // Of an absolute path -p1 takes the first slash.
  const std::string name(path.starts_with('/') ? path.substr(1) : path);
  std::string out = "--- a/" + name + "\n+++ b/" + name + "\n";
  std::ptrdiff_t shift = 0;
  for (std::size_t i = 0; i < regions.size();) {
    std::size_t end = i + 1;
    while (end < regions.size() &&
           regions[end].first - (regions[end - 1].first + regions[end - 1].count) <= 2 * kContext) {
      ++end;
    }
    out += hunk(old, std::span(regions).subspan(i, end - i), shift);
    i = end;
  }
  return out;
}

}  // namespace annotate
