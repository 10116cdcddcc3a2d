// The folder planted/ has manifests with faults, each marked in place, so that what is expected
// does not come from the program: below the line of a fault stands a comment with a caret under its
// column and the rule (`#< RULE` for column 1). Where there is no room for a comment, NAME.expected
// has lines `LINE:COLUMN RULE`. A first line `# operator: VERSION` names the operator; the others
// are read for one that serves none of their jobs under ExitCode, so that each such job need not
// be marked.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lint/check.h"
#include "tests/support/catch.h"
#include "tests/support/manifest.h"

namespace {

namespace fs = std::filesystem;

/// Line, column, rule.
using Fault = std::tuple<std::size_t, std::size_t, std::string>;

std::vector<Fault> marked_faults(const fs::path& file) {
  std::vector<Fault> faults;
  std::ifstream stream(file);
  std::size_t number = 0;
  std::size_t faulty = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t caret = line.find_first_not_of("# ");
    const bool marker = line.starts_with('#') && caret != std::string::npos &&
                        (line.substr(caret, 2) == "^ " || line.substr(0, 3) == "#< ");
    if (!marker) {
      faulty = number;
    } else if (line[caret] == '^') {
      faults.emplace_back(faulty, caret + 1, line.substr(caret + 2));
    } else {
      faults.emplace_back(faulty, 1, line.substr(3));
    }
  }
  std::ifstream expected(file.string() + ".expected");
  std::size_t line = 0;
  std::size_t column = 0;
  char colon = ' ';
  std::string rule;
  while (expected >> line >> colon >> column >> rule) faults.emplace_back(line, column, rule);
  std::ranges::sort(faults);
  return faults;
}

std::vector<Fault> found_faults(const fs::path& file) {
  constexpr std::string_view kOperator = "# operator: ";
  const std::string text = support::read_file(file);
  admission::Settings settings;
  settings.operator_version = "tf-operator/0.3";
  if (text.starts_with(kOperator)) {
    settings.operator_version = text.substr(kOperator.size(), text.find('\n') - kOperator.size());
  }
  std::vector<Fault> faults;
  for (const lint::Finding& finding : lint::check(text, settings).findings) {
    faults.emplace_back(finding.at->mark.line, finding.at->mark.column, finding.rule);
  }
  std::ranges::sort(faults);
  return faults;
}

std::string to_string(const std::vector<Fault>& faults) {
  std::ostringstream text;
  for (const auto& [line, column, rule] : faults)
    text << line << ':' << column << ' ' << rule << '\n';
  return text.str();
}

}  // namespace

TEST_CASE("all of 100 planted faults are found in their places, and no others", "[lint][planted]") {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(PROJECT_DIR "/tests/lint/planted")) {
    if (entry.path().extension() == ".expected") continue;
    INFO(entry.path());
    const std::vector<Fault> marked = marked_faults(entry.path());
    count += marked.size();
    CHECK(to_string(found_faults(entry.path())) == to_string(marked));
  }
  CHECK(count >= 100);
}
