#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/formats.h"

namespace explain {
namespace {

using operators::Comparison;

constexpr std::size_t kWidth = 80;
constexpr std::size_t kEndWidth = 33;
constexpr std::size_t kTableWidth = 22;
constexpr std::size_t kOperatorWidth = 15;

/// `text` in lines of at most `width` bytes, broken at blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = std::min(text.find(' '), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  lines.emplace_back(text);
  return lines;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

/// `text`, each line behind `first` or blanks of its size.
std::string paragraph(const std::string& first, std::string_view text) {
  std::string out;
  for (const std::string& line : wrapped(text, kWidth - first.size())) {
    out += (out.empty() ? first : std::string(first.size(), ' ')) + line + "\n";
  }
  return out;
}

std::string row(const std::string& end, const std::string& table, const std::string& does,
                bool differs) {
  const std::vector<std::string> lines = wrapped(end, kEndWidth - 1);
  std::string first = "  " + padded(lines.front(), kEndWidth) + padded(table, kTableWidth);
  first += differs ? padded(does, kOperatorWidth) + "differs" : does;
  std::string out = first + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) out += "    " + lines[i] + "\n";
  return out;
}

/// What to do about the ends on which table and operator part, each mend once.
std::string mends(const std::vector<Comparison>& all, const exit_codes::Table& table) {
  std::vector<std::pair<std::string, std::string>> found;  // mend, ends
  for (const Comparison& end : all) {
    if (end.agrees()) continue;
    const std::string mend = operators::mend(end);
    const auto same = std::ranges::find(found, mend, [](const auto& pair) { return pair.first; });
    const std::string what = describe(end, table);
    if (same == found.end()) {
      found.emplace_back(mend, what);
    } else {
      same->second += "; " + what;
    }
  }
  std::string out;
  if (!found.empty()) out = "\n  Where they differ:\n";
  for (auto& [mend, ends] : found) out += paragraph("  - ", ends.append(": ").append(mend));
  return out;
}

std::string of_replica(const Replica& replica) {
  std::string out = replica.type + ": ";
  out += replica.policy.empty() ? "no restart policy" : replica.policy;
  if (replica.is_default && !replica.policy.empty()) out += " (the default)";
  if (replica.table) out += ", table " + replica.table->profile;
  out += "\n";
  if (!replica.note.empty()) out += paragraph("  ", replica.note);
  if (!replica.table) return out;
  out += row("the pod ends with", "the table", "the operator", false);
  for (const Comparison& end : replica.ends) {
    out += row(describe(end, *replica.table), table_says(end), operator_does(end), !end.agrees());
  }
  return out + mends(replica.ends, *replica.table);
}

}  // namespace

std::string to_text(const Explanation& explanation, const std::string& title) {
  std::string out = title + ", " + explanation.operator_name + "\n";
  for (const Replica& replica : explanation.replicas) out += "\n" + of_replica(replica);
  if (!explanation.notes.empty()) out += "\n";
  for (const std::string& note : explanation.notes) out += paragraph("", note);
  return out;
}

}  // namespace explain
