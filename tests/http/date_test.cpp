#include "http/date.h"

#include <ctime>
#include <string>

#include "tests/support/catch.h"

TEST_CASE("The date is the present one, as HTTP writes it", "[http][date]") {
  const std::time_t before = std::time(nullptr);
  const std::string text(http::http_date());
  const std::time_t after = std::time(nullptr);
  std::tm utc{};
  const char* const end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
  REQUIRE(end != nullptr);
  CHECK(*end == '\0');
  const std::time_t told = ::timegm(&utc);
  CHECK(told >= before);
  CHECK(told <= after);
}
