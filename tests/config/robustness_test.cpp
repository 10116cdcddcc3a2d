#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "config/config.h"
#include "tests/support/catch.h"
#include "yaml/json.h"
#include "yaml/parse.h"

namespace {

std::string read_example() {
  std::ifstream file(PROJECT_DIR "/docs/examples/configuration.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Makes variants of a text; the same ones in every run.
class Mutator {
 public:
  std::string mutate(std::string text) {
    const int times = 1 + static_cast<int>(below(3));
    for (int i = 0; i < times; ++i) mutate_once(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  void mutate_once(std::string& text) {
    static constexpr std::string_view kSyntax = "{}[]:,-#&*!|>'\"%@`?\t\n\r ~<\xEF\xC3\x85\xE2";
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        if (!text.empty()) text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.insert(at, 1, kSyntax[below(kSyntax.size())]);
        break;
      case 3:
        text.erase(at, 1 + below(20));
        break;
      case 4:
        text.insert(line_start(text, below(text.size())), line(text, at));
        break;
      default:
        text.insert(line_start(text, at), "  ");
    }
  }

  static std::size_t line_start(const std::string& text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
  }

  static std::string line(const std::string& text, std::size_t at) {
    const std::size_t start = line_start(text, at);
    return text.substr(start, text.find('\n', start) - start + 1);
  }

  std::mt19937 random_{20261201};
};

/// How large a text is: what places can be in it.
struct Extent {
  std::size_t lines = 1;
  std::size_t bytes;

  explicit Extent(const std::string& text) : bytes(text.size()) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool return_alone = text[i] == '\r' && text[i + 1] != '\n';
      if (text[i] == '\n' || return_alone) ++lines;
    }
  }

  [[nodiscard]] bool has(const yaml::Mark& mark) const {
    return mark.line >= 1 && mark.line <= lines && mark.column >= 1 && mark.column <= bytes + 1;
  }

  /// Whether `node` and all below it are in the text.
  [[nodiscard]] bool has(const yaml::Node& node) const {
    const yaml::Place& place = node.place();
    return has(place.mark) && place.begin <= place.end && place.end <= bytes &&
           std::ranges::all_of(node.items(), [&](const yaml::Node& item) { return has(item); }) &&
           std::ranges::all_of(node.entries(), [&](const yaml::Entry& entry) {
             return has(entry.key) && has(entry.value);
           });
  }
};

bool is_message(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos;
}

}  // namespace

TEST_CASE("spoilt configurations give errors within the file, and nothing worse",
          "[config][robustness]") {
  const std::string example = read_example();
  REQUIRE(example.size() > 500);
  Mutator mutator;
  int sound = 0;
  int unsound = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::string text = mutator.mutate(example);
    const auto settings = config::parse(text, "c.yaml");
    if (settings) {
      ++sound;
      const auto is_known = [&](const auto& rule) {
        return settings->profiles.find(rule.profile) != nullptr && !rule.match.empty();
      };
      REQUIRE(settings->profiles.find(settings->profile) != nullptr);
      REQUIRE(std::ranges::all_of(settings->namespaces, is_known));
      continue;
    }
    ++unsound;
    REQUIRE_FALSE(settings.error().empty());
    const Extent extent(text);
    for (const config::Error& error : settings.error()) {
      INFO(to_string(error));
      REQUIRE((error.mark && extent.has(*error.mark) && is_message(error.message)));
    }
  }
  // Neither half of the test may have run dry.
  CHECK(sound > 500);
  CHECK(unsound > 500);
}

TEST_CASE("spoilt YAML has errors within the text, or nodes within it", "[config][robustness]") {
  const std::string example = read_example();
  Mutator mutator;
  int errors = 0;
  for (int i = 0; i < 3'000; ++i) {
    const std::string text = mutator.mutate(example);
    const Extent extent(text);
    const auto documents = yaml::parse(text);
    if (!documents) {
      ++errors;
      REQUIRE((extent.has(documents.error().mark) && is_message(documents.error().message)));
      continue;
    }
    for (const yaml::Document& document : *documents) {
      REQUIRE(extent.has(document.root));
      const auto json = yaml::to_json(document.root);
      if (!json) REQUIRE(extent.has(json.error().mark));
    }
  }
  CHECK(errors > 300);
  CHECK(errors < 2'700);
}
