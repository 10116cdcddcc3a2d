#include "webhook/time_text.h"

#include "tests/support/catch.h"

TEST_CASE("times are told in UTC", "[webhook][time_text]") {
  CHECK(webhook::time_text(std::chrono::system_clock::from_time_t(0)) == "1970-01-01T00:00:00Z");
  CHECK(webhook::time_text(std::chrono::system_clock::from_time_t(1'796'083'200)) ==
        "2026-12-01T00:00:00Z");
}
