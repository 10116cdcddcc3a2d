// Manifests that were cut, joined and mixed up: nothing crashes, and every place is in the file.

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/check.h"
#include "lint/output.h"
#include "tests/support/catch.h"
#include "tests/support/manifest.h"

namespace {

constexpr int kRounds = 3000;

constexpr std::array<std::string_view, 24> kTokens{
    "{{", "\"", "'",  "&a ", "*a", "<<: ", "\t",   "\r\n", "---\n", "[", "]",    "{",
    "}",  ": ", "- ", "|\n", "\\", "? ",   "null", "tru",  ",",     "-", "\xFF", "\xEF\xBB\xBF"};

std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(PROJECT_DIR "/tests/lint/planted")) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  texts.reserve(files.size());
  for (const auto& file : files) texts.push_back(support::read_file(file));
  return texts;
}

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t edits = 1 + below(5); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      switch (below(3)) {
        case 0:
          text.insert(at, kTokens[below(kTokens.size())]);
          break;
        case 1:
          text.erase(at, below(30));
          break;
        default:
          text.insert(at, std::string(text, below(text.size() + 1), below(40)));
          break;
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::vector<std::string> seeds_;
  std::mt19937 random_{20260131};
};

}  // namespace

TEST_CASE("mixed up manifests are read to an end", "[lint][robustness]") {
  Mutator mutator(seeds());
  lint::Output output(lint::Format::text, false, "1.2.3");
  int with_findings = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = mutator.next();
    const auto lines = static_cast<std::size_t>(std::ranges::count_if(
                           text, [](char c) { return c == '\n' || c == '\r'; })) +
                       1;
    const lint::Report report = lint::check(text, {});
    const bool placed = std::ranges::all_of(report.findings, [&](const lint::Finding& finding) {
      return finding.at && finding.at->mark.line >= 1 && finding.at->mark.line <= lines &&
             finding.at->begin <= text.size() && finding.at->begin <= finding.at->end &&
             finding.at->end <= text.size();
    });
    const bool told = output.add("f", text, report).empty() == report.findings.empty();
    if (!placed || !told) FAIL(text);
    if (!report.findings.empty()) ++with_findings;
  }
  CHECK(with_findings > kRounds / 2);
}
