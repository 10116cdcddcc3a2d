#include "exit_codes/quote.h"

#include <cstddef>
#include <string>

#include "tests/support/catch.h"

namespace exit_codes {
namespace {

// Not written out: two question marks and a quote are a trigraph.
std::string marks(std::size_t count) { return "'" + std::string(count, '?') + "'"; }

}  // namespace

TEST_CASE("text is quoted as it is", "[exit_codes][quote]") {
  CHECK(quote("") == "''");
  CHECK(quote("SIGTERM ~") == "'SIGTERM ~'");
  CHECK(quote("gr\u00FC\u00DFe \u20AC \U0001F600") == "'gr\u00FC\u00DFe \u20AC \U0001F600'");
}

TEST_CASE("what is longer than 40 bytes is cut", "[exit_codes][quote]") {
  CHECK(quote(std::string(40, 'a')) == "'" + std::string(40, 'a') + "'");
  CHECK(quote(std::string(41, 'a')) == "'" + std::string(40, 'a') + "...'");
}

TEST_CASE("no character is cut in two", "[exit_codes][quote]") {
  CHECK(quote(std::string(39, 'a') + "\u20AC") == "'" + std::string(39, 'a') + "...'");
  CHECK(quote(std::string(37, 'a') + "\u20AC") == "'" + std::string(37, 'a') + "\u20AC'");
}

TEST_CASE("control characters and bad UTF-8 are replaced", "[exit_codes][quote]") {
  CHECK(quote("a\nb\x1B[31m\x7F") == "'a?b?[31m?'");
  CHECK(quote(std::string("\0", 1)) == "'?'");
  CHECK(quote("\xC2\x9B") == marks(2));          // a C1 control
  CHECK(quote("\xC0\xAF") == marks(2));          // overlong
  CHECK(quote("\xE0\x80\x80") == marks(3));      // overlong
  CHECK(quote("\xF0\x80\x80\x80") == marks(4));  // overlong
  CHECK(quote("\xED\xA0\x80") == marks(3));      // a surrogate
  CHECK(quote("\xF4\x90\x80\x80") == marks(4));  // beyond U+10FFFF
  CHECK(quote("\xF5") == "'?'");
  CHECK(quote("\xE2\x82") == marks(2));  // cut short
  CHECK(quote("\xE2x\x82") == "'?x?'");
}

}  // namespace exit_codes
