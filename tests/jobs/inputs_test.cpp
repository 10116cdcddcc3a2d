#include "jobs/inputs.h"

#include <string>
#include <utility>

#include "exit_codes/profile.h"
#include "tests/support/catch.h"

using exit_codes::CodeSet;
using exit_codes::Profiles;
using jobs::Annotations;
using jobs::Inputs;
using jobs::Shape;

namespace {

const std::string kRetryable = "exit-codes.kubeflow.org/retryable";
const std::string kPermanent = "exit-codes.kubeflow.org/permanent";
const std::string kProfile = "exit-codes.kubeflow.org/profile";
const std::string kMaxRetries = "exit-codes.kubeflow.org/max-retries";

const Profiles& profiles() {
  static const Profiles built_in;
  return built_in;
}

Inputs read(std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  Annotations annotations{.shape = Shape::object, .bytes = 0, .ours = {}};
  for (const auto& [key, value] : values) {
    annotations.ours.push_back({key, {Shape::string, value}});
  }
  return jobs::read_inputs(annotations, profiles());
}

}  // namespace

TEST_CASE("sound inputs are read", "[jobs][inputs]") {
  const Inputs inputs = read({{kProfile, "signals"},
                              {kRetryable, "42, SIGUSR2"},
                              {kPermanent, "250-255"},
                              {kMaxRetries, "3"}});
  CHECK(inputs.problems.empty());
  CHECK(inputs.profile == profiles().find("signals"));
  CHECK(inputs.overrides.retryable == CodeSet{42, 140});
  CHECK(inputs.overrides.permanent == CodeSet::range(250, 255));
  CHECK(inputs.overrides.max_retries == 3);
}

TEST_CASE("an unsound input is told and left out, the others stay", "[jobs][inputs]") {
  const Inputs inputs =
      read({{kProfile, "nope"}, {kRetryable, "0"}, {kPermanent, "42"}, {kMaxRetries, "many"}});
  CHECK(inputs.profile == nullptr);
  CHECK(inputs.overrides.retryable.empty());
  CHECK(inputs.overrides.permanent == CodeSet{42});
  CHECK_FALSE(inputs.overrides.max_retries);
  REQUIRE(inputs.problems.size() == 3);
  CHECK(inputs.problems[0].key == kProfile);
  CHECK(inputs.problems[0].value == "nope");
  CHECK(inputs.problems[0].message ==
        "there is no profile \"nope\": the profiles are kubeflow, signals, cloudml, "
        "all-permanent, all-retryable");
  CHECK(inputs.problems[1].key == kRetryable);
  CHECK(inputs.problems[2].key == kMaxRetries);
}

TEST_CASE("every bad item of a list is told", "[jobs][inputs]") {
  const Inputs inputs = read({{kRetryable, "0, 42, 256"}});
  CHECK(inputs.overrides.retryable.empty());
  REQUIRE(inputs.problems.size() == 2);
  CHECK(inputs.problems[0].message ==
        "'0' is success, which no list can hold: write a number from 1 to 255");
  CHECK(inputs.problems[1].message == "'256' is not an exit code: write a number from 1 to 255");
}

TEST_CASE("a misspelt profile is told the nearest", "[jobs][inputs]") {
  CHECK(read({{kProfile, "signal"}}).problems.front().message ==
        "there is no profile \"signal\": did you mean signals? The profiles are kubeflow, signals, "
        "cloudml, all-permanent, all-retryable");
}

TEST_CASE("two lists that clash are both left out", "[jobs][inputs]") {
  const Inputs inputs = read({{kRetryable, "40-42, 7"}, {kPermanent, "41, 42, 9"}});
  CHECK(inputs.overrides.retryable.empty());
  CHECK(inputs.overrides.permanent.empty());
  REQUIRE(inputs.problems.size() == 1);
  CHECK(inputs.problems.front().key == kPermanent);
  CHECK(
      inputs.problems.front().message ==
      "lists 41, 42 that exit-codes.kubeflow.org/retryable lists too: keep each code on one side");
}

TEST_CASE("a value that is no string asks for quotes", "[jobs][inputs]") {
  Annotations annotations{.shape = Shape::object, .bytes = 0, .ours = {}};
  annotations.ours = {{kRetryable, {Shape::number, "42"}}, {kProfile, {Shape::object, ""}}};
  const Inputs inputs = jobs::read_inputs(annotations, profiles());
  REQUIRE(inputs.problems.size() == 2);
  CHECK(inputs.problems[0].message == "must be a string, not an object");
  CHECK(inputs.problems[1].message == "must be a string, not a number: write \"42\" in quotes");
}

TEST_CASE("a job's table is its profile's with its lists", "[jobs][inputs]") {
  const exit_codes::Table& fallback = *profiles().find("kubeflow");
  const exit_codes::Table table =
      jobs::make_table(fallback, read({{kRetryable, "1, 42"}, {kMaxRetries, "5"}}));
  CHECK(table.profile == "kubeflow");
  CHECK(table.permanent == CodeSet{2, 126, 127, 128, 139});
  CHECK(table.retryable == CodeSet{1, 42, 130, 137, 138, 143});
  CHECK(table.max_retries == 5);
  CHECK(jobs::make_table(fallback, read({{kProfile, "cloudml"}})) == *profiles().find("cloudml"));
}

TEST_CASE("the replica's inputs win over the job's", "[jobs][inputs]") {
  const exit_codes::Table& fallback = *profiles().find("kubeflow");
  const Inputs job = read({{kProfile, "signals"}, {kRetryable, "42, 43"}, {kMaxRetries, "5"}});

  SECTION("the job's hold where the replica has none") {
    CHECK(jobs::make_table(fallback, job, read({})) == jobs::make_table(fallback, job));
  }
  SECTION("lists are applied behind the job's") {
    const exit_codes::Table table =
        jobs::make_table(fallback, job, read({{kPermanent, "43, 143"}, {kMaxRetries, "0"}}));
    CHECK(table.profile == "signals");
    CHECK(table.verdict_of(42) == exit_codes::Verdict::retryable);
    CHECK(table.verdict_of(43) == exit_codes::Verdict::permanent);
    CHECK(table.verdict_of(143) == exit_codes::Verdict::permanent);
    CHECK(table.max_retries == 0);
  }
  SECTION("its profile takes the place of the job's, whose lists still hold") {
    const exit_codes::Table table = jobs::make_table(fallback, job, read({{kProfile, "cloudml"}}));
    CHECK(table.profile == "cloudml");
    CHECK(table.verdict_of(42) == exit_codes::Verdict::retryable);
    CHECK(table.verdict_of(139) == exit_codes::Verdict::undefined);
  }
}
