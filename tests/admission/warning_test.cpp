#include "admission/warning.h"

#include <string>

#include "tests/support/catch.h"

namespace {

std::string line(const std::string& field, const std::string& message) {
  return admission::warning_line({.rule = "r",
                                  .severity = jobs::Severity::warned,
                                  .field = field,
                                  .value = {},
                                  .message = message});
}

}  // namespace

TEST_CASE("a short warning is its field and message", "[admission][warning]") {
  CHECK(line("spec.backoffLimit", "is zero") == "spec.backoffLimit: is zero");
  CHECK(line(std::string(59, 'f'), std::string(59, 'm')).size() == 120);
}

TEST_CASE("a long path loses its beginning, the message stays", "[admission][warning]") {
  const std::string message(60, 'm');
  const std::string text = line("spec." + std::string(60, 'x') + "[Worker].restartPolicy", message);
  CHECK(text.size() == 120);
  CHECK(text.starts_with("..."));
  CHECK(text.ends_with("[Worker].restartPolicy: " + message));
}

TEST_CASE("a long message loses its end behind a short path", "[admission][warning]") {
  const std::string text = line(std::string(50, 'f'), std::string(200, 'm'));
  CHECK(text.size() == 120);
  CHECK(text.ends_with("m..."));
  CHECK(text.starts_with("...fffffffffffffffffffff: m"));
}

TEST_CASE("characters are never cut in two", "[admission][warning]") {
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "\xC3\xA4";
  for (const std::string pad : {"", "x"}) {
    const std::string text = line(pad + umlauts, pad + umlauts);
    CHECK(text.size() <= 120);
    CHECK(text.size() >= 117);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\xC3') {
        CHECK(text[i + 1] == '\xA4');
        ++i;
      } else {
        CHECK(static_cast<unsigned char>(text[i]) < 0x80U);
      }
    }
  }
}

TEST_CASE("control characters become blanks", "[admission][warning]") {
  CHECK(line("a\tb",
             "c\r\nd\x7f"
             "e\xC2\x85"
             "f") == "a b: c  d e f");
}
