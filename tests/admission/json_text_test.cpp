#include "admission/json_text.h"

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"

namespace {

std::string written(std::string_view text) {
  std::string out;
  admission::append_json_string(out, text);
  return out;
}

}  // namespace

TEST_CASE("text becomes a JSON string", "[admission][json_text]") {
  CHECK(written("") == R"("")");
  CHECK(written("plain ~") == R"("plain ~")");
  CHECK(written(R"(a "b" \c)") == R"("a \"b\" \\c")");
  CHECK(written("a\nb\x01") == R"("a\nb\u0001")");
  CHECK(written("\xC3\xA9") == "\"\xC3\xA9\"");
  CHECK(written("\x7F") == "\"\x7F\"");
}

TEST_CASE("every byte comes back from a reader", "[admission][json_text]") {
  for (int byte = 0; byte < 128; ++byte) {
    const std::string text = std::string("x") + static_cast<char>(byte) + "y\"";
    CHECK(nlohmann::json::parse(written(text)) == text);
  }
}

TEST_CASE("invalid UTF-8 is replaced in strings", "[admission][json_text]") {
  CHECK(written("a\xFF") == "\"a\xEF\xBF\xBD\"");
}
