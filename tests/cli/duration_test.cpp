#include "cli/duration.h"

#include <chrono>

#include "tests/support/catch.h"

using std::chrono::milliseconds;

TEST_CASE("durations have a unit", "[cli][duration]") {
  CHECK(cli::parse_duration("500ms") == milliseconds(500));
  CHECK(cli::parse_duration("0s") == milliseconds(0));
  CHECK(cli::parse_duration("10s") == milliseconds(10'000));
  CHECK(cli::parse_duration("2m") == milliseconds(120'000));
  CHECK(cli::parse_duration("24h") == milliseconds(86'400'000));
}

TEST_CASE("what is no duration is told what to write", "[cli][duration]") {
  for (const char* text :
       {"", "10", "s", "-1s", "1.5s", "10 s", "10S", "25h", "4294967296s", "1d"}) {
    INFO(text);
    const auto duration = cli::parse_duration(text);
    REQUIRE_FALSE(duration);
    CHECK(duration.error() == "\"" + std::string(text) +
                                  "\" is no duration of at most 24h: write a whole number and ms, "
                                  "s, m or h, such as 10s");
  }
}
