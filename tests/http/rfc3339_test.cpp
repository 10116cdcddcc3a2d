#include "http/rfc3339.h"

#include "tests/support/catch.h"

using std::chrono::system_clock;

TEST_CASE("Times are told in UTC", "[http][rfc3339]") {
  CHECK(http::rfc3339(system_clock::from_time_t(0)) == "1970-01-01T00:00:00Z");
  CHECK(http::rfc3339(system_clock::from_time_t(1'796'083'200)) == "2026-12-01T00:00:00Z");
  CHECK(http::rfc3339(system_clock::from_time_t(0) - std::chrono::milliseconds(1)) ==
        "1969-12-31T23:59:59Z");
}

TEST_CASE("MicroTime has six digits behind the second", "[http][rfc3339]") {
  const auto time = system_clock::from_time_t(1'796'083'200);
  CHECK(http::rfc3339_micros(time) == "2026-12-01T00:00:00.000000Z");
  CHECK(http::rfc3339_micros(time + std::chrono::microseconds(1'042)) ==
        "2026-12-01T00:00:00.001042Z");
  CHECK(http::rfc3339_micros(system_clock::from_time_t(0) - std::chrono::microseconds(1)) ==
        "1969-12-31T23:59:59.999999Z");
}
