#include <algorithm>
#include <cstddef>

#include "lint/formats.h"
#include "lint/rules.h"

namespace lint {
namespace {

constexpr std::string_view kReset = "\x1B[0m";
constexpr std::string_view kBold = "\x1B[1m";
constexpr std::string_view kCaret = "\x1B[1;32m";

/// How much of a long line is shown before and behind the place, in bytes or so.
constexpr std::size_t kBefore = 60;
constexpr std::size_t kBehind = 60;

std::string_view colour_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "\x1B[1;31m";
    case Severity::warning:
      return "\x1B[1;35m";
    case Severity::note:
      break;
  }
  return "\x1B[1;36m";
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t count_chars(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !is_continuation(c); }));
}

/// `text` without what would move a terminal's cursor: a tab is one blank, so that the caret below
/// finds its column.
std::string clean(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '\t', ' ');
  std::ranges::replace_if(out, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }, '?');
  return out;
}

/// The line of the source around a place, and where the place is in it.
struct Snippet {
  std::string line;
  std::size_t column = 0;  ///< from 0
};

Snippet snippet(std::string_view text, std::size_t offset) {
  constexpr std::string_view kBreaks = "\r\n";
  offset = std::min(offset, text.size());
  std::size_t begin = offset;
  while (begin > 0 && offset - begin < kBefore && !kBreaks.contains(text[begin - 1])) --begin;
  while (begin < offset && is_continuation(text[begin])) ++begin;
  std::size_t end = offset;
  while (end < text.size() && end - offset < kBehind && !kBreaks.contains(text[end])) ++end;
  while (end < text.size() && is_continuation(text[end])) ++end;

  const bool cut_before = begin > 0 && !kBreaks.contains(text[begin - 1]);
  const bool cut_behind = end < text.size() && !kBreaks.contains(text[end]);
  std::string_view shown = text.substr(begin, end - begin);
  std::size_t column = count_chars(text.substr(begin, offset - begin));
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (begin == 0 && shown.starts_with(kByteOrderMark)) {
    shown.remove_prefix(kByteOrderMark.size());
    if (offset > 0) --column;
  }
  return {(cut_before ? "..." : "") + clean(shown) + (cut_behind ? "..." : ""),
          column + (cut_before ? 3 : 0)};
}

std::string painted(std::string_view text, std::string_view paint, bool colour) {
  if (!colour) return std::string(text);
  return std::string(paint) + std::string(text) + std::string(kReset);
}

/// How many columns of its first line a place has; at least 1.
std::size_t columns(std::string_view text, const yaml::Place& place) {
  const std::size_t begin = std::min(place.begin, text.size());
  const std::size_t end = std::clamp(place.end, begin, text.size());
  const std::string_view there = text.substr(begin, end - begin);
  return std::max<std::size_t>(count_chars(there.substr(0, there.find_first_of("\r\n"))), 1);
}

}  // namespace

std::string to_text(std::string_view path, std::string_view text, const Finding& finding,
                    bool colour, bool explained) {
  std::string where(clean(path));
  if (finding.at) {
    where +=
        ":" + std::to_string(finding.at->mark.line) + ":" + std::to_string(finding.at->mark.column);
  }
  std::string out =
      painted(where + ":", kBold, colour) + " " +
      painted(std::string(to_string(finding.severity)) + ":", colour_of(finding.severity), colour) +
      " ";
  if (!finding.field.empty()) out += clean(finding.field) + ": ";
  out += clean(finding.message) + " [" + std::string(finding.rule) + "]\n";

  std::string gutter = "     ";
  if (finding.at) {
    const std::string number = std::to_string(finding.at->mark.line);
    if (number.size() > gutter.size()) gutter.assign(number.size(), ' ');
    const Snippet source = snippet(text, finding.at->begin);
    const std::size_t room = source.line.size() > source.column ? kBehind : 1;
    const std::size_t length = std::min(columns(text, *finding.at), room);
    out += std::string(gutter.size() - number.size(), ' ') + number + " | " + source.line + "\n";
    out += gutter + " | " + std::string(source.column, ' ') +
           painted("^" + std::string(length - 1, '~'), kCaret, colour) + "\n";
  }
  if (finding.alias) {
    out += gutter + " = by the alias in line " + std::to_string(finding.alias->line) + ", column " +
           std::to_string(finding.alias->column) + "\n";
  }
  if (explained) out += gutter + " = help: " + help_of(finding.rule) + "\n";
  return out;
}

}  // namespace lint
