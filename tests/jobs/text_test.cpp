#include "jobs/text.h"

#include <array>
#include <string>
#include <string_view>

#include "tests/support/catch.h"

TEST_CASE("quoted text is one line", "[jobs][text]") {
  CHECK(jobs::quoted("Never") == R"("Never")");
  CHECK(jobs::quoted("") == R"("")");
  CHECK(jobs::quoted("a\nb\"c\\d\x7f") == R"("a\u000ab\"c\\d\u007f")");
}

TEST_CASE("quoted text is cut, but never inside a character", "[jobs][text]") {
  CHECK(jobs::quoted(std::string(64, 'x')) == "\"" + std::string(64, 'x') + "\"");
  CHECK(jobs::quoted(std::string(65, 'x')) == "\"" + std::string(64, 'x') + "...\"");
  CHECK(jobs::quoted(std::string(63, 'x') + "\xC3\xA4") == "\"" + std::string(63, 'x') + "...\"");
}

TEST_CASE("what stands at a place is shown in words", "[jobs][text]") {
  using jobs::Shape;
  CHECK(jobs::shown({Shape::string, "Sometimes"}) == R"("Sometimes")");
  CHECK(jobs::shown({Shape::number, "3"}) == "3");
  CHECK(jobs::shown({Shape::boolean, "false"}) == "false");
  CHECK(jobs::shown({Shape::object, ""}) == "an object");
  CHECK(jobs::shown({Shape::array, ""}) == "a list");
  CHECK(jobs::shown({Shape::null, ""}) == "null");
}

TEST_CASE("names are joined", "[jobs][text]") {
  constexpr std::array<std::string_view, 2> kNames{"a", "b"};
  CHECK(jobs::joined(kNames) == "a, b");
  CHECK(jobs::joined({}).empty());
}
