#include "sources/unrendered.h"

#include <algorithm>
#include <array>

namespace sources {
namespace {

/// What an action begins with that Helm has, and Argo has not.
constexpr std::array<std::string_view, 14> kOfWholeFiles{
    ".",        "$",         "if ",     "else",   "end",     "range ", "with ",
    "include ", "template ", "define ", "block ", "toYaml ", "tpl ",   "/*"};

std::size_t find_action(std::string_view text) {
  return std::min(text.find("{{"), text.find("{%"));
}

/// Whether an action may be what a line means to YAML: it begins the line, or a value in it.
bool is_structural(std::string_view before) {
  const std::size_t last = before.find_last_not_of(" \t");
  if (last == std::string_view::npos) return true;
  const bool behind_blank = last + 1 < before.size();
  return (before[last] == ':' || before[last] == '-') && behind_blank;
}

bool is_of_whole_files(std::string_view action) {
  if (action.starts_with("{%") || action.starts_with("{{-")) return true;
  action.remove_prefix(std::min(action.find_first_not_of(' ', 2), action.size()));
  return std::ranges::any_of(kOfWholeFiles,
                             [&](std::string_view word) { return action.starts_with(word); });
}

}  // namespace

bool has_action(std::string_view text) { return find_action(text) != std::string_view::npos; }

std::optional<std::size_t> find_unrendered(std::string_view text, std::size_t line) {
  std::optional<std::size_t> first;
  bool is_reason = false;
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size() && !is_reason; ++number) {
    const std::size_t length = std::min(text.find('\n', begin), text.size()) - begin;
    const std::string_view content = text.substr(begin, length);
    const std::size_t at = find_action(content);
    if (at != std::string_view::npos && is_structural(content.substr(0, at))) {
      if (!first) first = begin + at;
      const bool near = number <= line + 1 && number + 1 >= line;
      is_reason = near || is_of_whole_files(content.substr(at));
    }
    begin += length + 1;
  }
  return is_reason ? first : std::nullopt;
}

}  // namespace sources
