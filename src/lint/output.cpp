#include "lint/output.h"

#include "lint/formats.h"
#include "lint/rules.h"

namespace lint {
namespace {

using Json = nlohmann::ordered_json;

/// File names need not be UTF-8.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// `json`, which goes into an array at `depth` blanks.
std::string item(const Json& json, std::size_t depth) {
  const std::string blanks(depth, ' ');
  std::string out;
  for (const char c : blanks + dump(json)) {
    out += c;
    if (c == '\n') out += blanks;
  }
  return out;
}

/// A SARIF log is written around its results.
struct Log {
  std::string before;
  std::string behind;
};

Log sarif(std::string_view version, bool complete) {
  constexpr std::string_view kResults = "\"results\": [";
  const std::string log = dump(sarif_log(version, complete));
  const std::size_t split = log.find(kResults) + kResults.size();
  return {log.substr(0, split), log.substr(split)};
}

constexpr std::size_t kResultDepth = 8;

}  // namespace

Output::Output(Format format, bool colour, std::string_view version)
    : format_(format), colour_(colour), version_(version), explained_(rules().size()) {}

std::string Output::begin() const {
  if (format_ == Format::json) return "[";
  if (format_ == Format::sarif) return sarif(version_, true).before;
  return {};
}

std::string Output::add(std::string_view path, std::string_view text, const Report& report) {
  std::string out;
  for (const Finding& finding : report.findings) {
    // JSON has findings only.
    if (format_ == Format::json && finding.severity == Severity::note) continue;
    switch (format_) {
      case Format::text: {
        const std::size_t rule = rule_index(finding.rule);
        out += to_text(path, text, finding, colour_, !explained_[rule]);
        explained_[rule] = true;
        break;
      }
      case Format::json:
        out += (first_ ? "\n" : ",\n") + item(to_json(path, finding), 2);
        break;
      case Format::sarif:
        out += (first_ ? "\n" : ",\n") + item(to_sarif(path, finding), kResultDepth);
        break;
      case Format::github:
        out += to_github(path, finding);
        break;
    }
    first_ = false;
  }
  return out;
}

std::string Output::end(bool complete) const {
  if (format_ == Format::json) return first_ ? "]\n" : "\n]\n";
  if (format_ != Format::sarif) return {};
  return (first_ ? "" : "\n" + std::string(kResultDepth - 2, ' ')) +
         sarif(version_, complete).behind + "\n";
}

}  // namespace lint
