#include "exit_codes/table.h"

#include <cstdint>

#include "exit_codes/profile.h"
#include "tests/support/catch.h"

namespace exit_codes {

TEST_CASE("139 is permanent", "[exit_codes][table]") {
  const Profiles profiles;
  CHECK(profiles.find("kubeflow")->verdict_of(139) == Verdict::permanent);
}

TEST_CASE("undefined is handled as the table says, other verdicts as they are",
          "[exit_codes][table]") {
  Table table;
  CHECK(table.handled_as(Verdict::undefined) == Verdict::permanent);
  CHECK(table.handled_as(Verdict::retryable) == Verdict::retryable);
  table.undefined = Verdict::retryable;
  CHECK(table.handled_as(Verdict::undefined) == Verdict::retryable);
  CHECK(table.handled_as(Verdict::permanent) == Verdict::permanent);
}

TEST_CASE("codes that no table can list are undefined", "[exit_codes][table]") {
  Table table;
  table.permanent = CodeSet::range(1, 255);
  CHECK(table.verdict_of(0) == Verdict::undefined);
  CHECK(table.verdict_of(-1) == Verdict::undefined);
  CHECK(table.verdict_of(256) == Verdict::undefined);
  CHECK(table.verdict_of(std::int64_t{3221225477}) == Verdict::undefined);
}

TEST_CASE("overrides take a code from the other side", "[exit_codes][table]") {
  Table table;
  table.permanent = {1, 2, 3};
  table.retryable = {130, 137};
  apply({.retryable = {2, 42}, .permanent = {137, 43}, .max_retries = 4}, table);
  CHECK(table.permanent == CodeSet{1, 3, 43, 137});
  CHECK(table.retryable == CodeSet{2, 42, 130});
  CHECK(table.max_retries == 4);
}

TEST_CASE("overrides without max-retries keep the table's", "[exit_codes][table]") {
  Table table;
  table.max_retries = 7;
  apply({}, table);
  CHECK(table.max_retries == 7);
  apply({.retryable = {}, .permanent = {}, .max_retries = 0}, table);
  CHECK(table.max_retries == 0);
}

TEST_CASE("later overrides win over earlier ones", "[exit_codes][table]") {
  Table table;
  apply({.retryable = {42}, .permanent = {}, .max_retries = {}}, table);
  apply({.retryable = {}, .permanent = {42}, .max_retries = {}}, table);
  CHECK(table.verdict_of(42) == Verdict::permanent);
  CHECK(table.retryable.empty());
}

}  // namespace exit_codes
