#include "webhook/log.h"

#include <string>

#include "tests/support/catch.h"

using webhook::format_line;
using webhook::LogFormat;
using webhook::LogLevel;

TEST_CASE("a JSON line has time, level, message and the fields in order", "[webhook][log]") {
  CHECK(
      format_line(LogFormat::json, "2026-12-01T04:00:00.000Z", LogLevel::warn, "said",
                  {{"b", "1"}, {"a", "x\"y"}}) ==
      R"({"time":"2026-12-01T04:00:00.000Z","level":"warn","message":"said","b":"1","a":"x\"y"})");
}

TEST_CASE("a text line has quoted values", "[webhook][log]") {
  CHECK(format_line(LogFormat::text, "T", LogLevel::info, "said", {{"user", "a b"}, {"n", ""}}) ==
        R"(T info said user="a b" n="")");
}

TEST_CASE("one event is one line, whatever it holds", "[webhook][log]") {
  for (const LogFormat format : {LogFormat::json, LogFormat::text}) {
    const std::string line =
        format_line(format, "T", LogLevel::error, "m", {{"k", "a\nb\r\xFF\x01"}});
    CHECK(line.find('\n') == std::string::npos);
    CHECK(line.find('\r') == std::string::npos);
    CHECK(line.find('\xFF') == std::string::npos);
    CHECK(line.find(R"("a\nb\r)") != std::string::npos);
  }
}
