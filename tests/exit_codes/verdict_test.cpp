#include "exit_codes/verdict.h"

#include "tests/support/catch.h"

namespace exit_codes {

TEST_CASE("verdicts have the words of the annotation", "[exit_codes][verdict]") {
  CHECK(to_string(Verdict::retryable) == "retryable");
  CHECK(to_string(Verdict::permanent) == "permanent");
  CHECK(to_string(Verdict::undefined) == "undefined");
}

TEST_CASE("only verdicts that can be acted on are read", "[exit_codes][verdict]") {
  CHECK(parse_actionable_verdict("retryable") == Verdict::retryable);
  CHECK(parse_actionable_verdict("permanent") == Verdict::permanent);
  for (const auto* text : {"undefined", "", "Retryable", "retriable", " permanent", "PERMANENT"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_actionable_verdict(text).has_value());
  }
}

}  // namespace exit_codes
