#include "admission/base64.h"

#include <string>

#include "tests/support/catch.h"
#include "tests/support/review.h"

TEST_CASE("base64 is that of RFC 4648", "[admission][base64]") {
  const auto encoded = [](std::string_view text) {
    std::string out = "=";
    admission::append_base64(out, text);
    return out;
  };
  CHECK(encoded("") == "=");
  CHECK(encoded("f") == "=Zg==");
  CHECK(encoded("fo") == "=Zm8=");
  CHECK(encoded("foo") == "=Zm9v");
  CHECK(encoded("foobar") == "=Zm9vYmFy");
}

TEST_CASE("pieces can be joined, and blanks fill them up", "[admission][base64]") {
  std::string out;
  admission::append_base64_piece(out, "[1");
  admission::append_base64_piece(out, ",22");
  admission::append_base64_piece(out, ",333");
  admission::append_base64(out, "]");
  CHECK(support::base64_decode(out) == "[1 ,22,333  ]");
}
