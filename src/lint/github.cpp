#include "lint/formats.h"
#include "lint/rules.h"

namespace lint {
namespace {

/// As the runner reads it back: actions/toolkit, packages/core/src/command.ts.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view command(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "notice";
}

}  // namespace

std::string to_github(std::string_view path, const Finding& finding) {
  std::string line = "::" + std::string(command(finding.severity)) + " file=" + escaped(path, true);
  if (finding.at) {
    line += ",line=" + std::to_string(finding.at->mark.line) +
            ",col=" + std::to_string(finding.at->mark.column);
  }
  line += ",title=" + escaped(finding.rule, true) + "::";
  if (!finding.field.empty()) line += escaped(finding.field, false) + ": ";
  return line + escaped(finding.message, false) + " (" + help_of(finding.rule) + ")\n";
}

}  // namespace lint
