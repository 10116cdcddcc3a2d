#include "operators/comparison.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "exit_codes/profile.h"
#include "tests/support/catch.h"

using exit_codes::CodeSet;
using exit_codes::Table;
using exit_codes::Verdict;
using operators::Comparison;
using operators::End;
using operators::Response;

namespace {

Table profile(std::string_view name) {
  const exit_codes::Profiles profiles;
  const Table* const found = profiles.find(name);
  REQUIRE(found != nullptr);
  return *found;
}

std::vector<Comparison> parted(const Table& table, std::string_view which,
                               std::string_view kind = "TFJob", std::string_view version = "v1") {
  const auto found = operators::find_operator(which);
  REQUIRE(found.has_value());
  const jobs::Kind* const row = jobs::find_kind("kubeflow.org", version, kind);
  REQUIRE(row != nullptr);
  return operators::compare(table, **found, *row);
}

const Comparison& find(const std::vector<Comparison>& all, End end) {
  const auto found = std::ranges::find(all, end, &Comparison::end);
  REQUIRE(found != all.end());
  return *found;
}

bool has(const std::vector<Comparison>& all, End end) {
  return std::ranges::find(all, end, &Comparison::end) != all.end();
}

}  // namespace

TEST_CASE("the default table and training-operator 1.9 part on all that is permanent from 128 up",
          "[operators][comparison]") {
  const auto all = parted(profile("kubeflow"), "training-operator/1.9");
  CodeSet codes;
  for (const Comparison& each : all) {
    if (each.end != End::codes) continue;
    CHECK(each.handled_as == Verdict::permanent);
    CHECK(each.response == Response::retries);
    codes |= each.codes;
  }
  CHECK(operators::to_text(codes) == "128, 129, 131-136, 139-142, 144-255");
  CHECK(find(all, End::reason).reason == "OOMKilled");
  CHECK(find(all, End::over_255).response == Response::retries);
  CHECK(find(all, End::disruption).response == Response::fails);
  CHECK_FALSE(has(all, End::no_exit_code));
  CHECK_FALSE(has(all, End::zero));
}

TEST_CASE("tf-operator agrees with the codes of the default table", "[operators][comparison]") {
  const auto all = parted(profile("kubeflow"), "tf-operator/1.4");
  CHECK_FALSE(has(all, End::codes));
  CHECK(find(all, End::reason).response == Response::retries);  // 137, whatever the reason
  CHECK(find(all, End::no_exit_code).response == Response::fails);
}

TEST_CASE("the profile signals agrees with training-operator but for the reason",
          "[operators][comparison]") {
  const auto all = parted(profile("signals"), "training-operator/1.9", "PyTorchJob");
  CHECK_FALSE(has(all, End::codes));
  CHECK(find(all, End::reason).reason == "OOMKilled");
}

TEST_CASE("a limit is counted by no operator", "[operators][comparison]") {
  Table table = profile("signals");
  table.max_retries = 3;
  CHECK(find(parted(table, "training-operator/1.9"), End::retry_limit).response ==
        Response::retries);
}

TEST_CASE("all ends are compared, each code once", "[operators][comparison]") {
  const auto which = operators::find_operator("training-operator/1.9");
  const auto behaviour =
      operators::behaviour_of(**which, *jobs::find_kind("kubeflow.org", "v1", "TFJob"));
  REQUIRE(behaviour.has_value());
  CodeSet codes;
  std::size_t count = 0;
  for (const Comparison& each : operators::compare_all(profile("kubeflow"), behaviour)) {
    count += each.codes.values().size();
    codes |= each.codes;
  }
  CHECK(count == 255);
  CHECK(codes == CodeSet::range(1, 255));
}

TEST_CASE("codes that the table retries below 128 are to be mended in the program",
          "[operators][comparison]") {
  Table table = profile("kubeflow");
  table.retryable.insert(42);
  const auto all = parted(table, "training-operator/1.9");
  const auto found =
      std::ranges::find_if(all, [](const Comparison& each) { return each.codes.contains(42); });
  REQUIRE(found != all.end());
  CHECK(operators::mend(*found) ==
        "no controller beside the operator can mend it: let the program end with 138 instead");
  CHECK(operators::mend(find(all, End::reason)) ==
        "only a controller that honours the table reads reasons");
}

TEST_CASE("codes are written with ranges of three and more", "[operators][comparison]") {
  CHECK(operators::to_text({}).empty());
  CHECK(operators::to_text({5}) == "5");
  CHECK(operators::to_text({1, 2, 4, 5, 6, 255}) == "1, 2, 4-6, 255");
}
