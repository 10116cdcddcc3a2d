#include "exit_codes/nearest.h"

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.h"

namespace exit_codes {
namespace {

constexpr std::array<std::string_view, 4> kPolicies{"Always", "OnFailure", "Never", "ExitCode"};

}  // namespace

TEST_CASE("case, hyphens and underscores do not count", "[exit_codes][nearest]") {
  CHECK(nearest("exit_code", kPolicies) == "ExitCode");
  CHECK(nearest("ON-FAILURE", kPolicies) == "OnFailure");
  CHECK(nearest("never", kPolicies) == "Never");
  constexpr std::array<std::string_view, 2> kKeys{"max-retries", "profile"};
  CHECK(nearest("maxRetries", kKeys) == "max-retries");
}

TEST_CASE("few edits are forgiven", "[exit_codes][nearest]") {
  CHECK(nearest("Allways", kPolicies) == "Always");
  CHECK(nearest("ExitCodes", kPolicies) == "ExitCode");
  CHECK(nearest("Onfailrue", kPolicies) == "OnFailure");
  CHECK(nearest("Nevr", kPolicies) == "Never");
  CHECK(nearest("onfail", kPolicies) == "OnFailure");
  constexpr std::array<std::string_view, 2> kKeys{"retryable", "permanent"};
  CHECK(nearest("retriable", kKeys) == "retryable");
}

TEST_CASE("a third of the length is the limit", "[exit_codes][nearest]") {
  constexpr std::array<std::string_view, 1> kSix{"abcdef"};
  CHECK(nearest("abcdxy", kSix) == "abcdef");
  CHECK(nearest("abcxyz", kSix).empty());
  constexpr std::array<std::string_view, 1> kTwo{"PS"};
  CHECK(nearest("ps", kTwo) == "PS");
  CHECK(nearest("pt", kTwo).empty());
}

TEST_CASE("a swap of neighbours is one edit", "[exit_codes][nearest]") {
  constexpr std::array<std::string_view, 1> kThree{"abc"};
  CHECK(nearest("acb", kThree) == "abc");
  CHECK(nearest("cba", kThree).empty());
}

TEST_CASE("what is like nothing has no nearest", "[exit_codes][nearest]") {
  CHECK(nearest("Sometimes", kPolicies).empty());
  CHECK(nearest("", kPolicies).empty());
  CHECK(nearest("--", kPolicies).empty());
  CHECK(nearest("Always", {}).empty());
}

TEST_CASE("the nearest wins, the first of equals", "[exit_codes][nearest]") {
  constexpr std::array<std::string_view, 3> kWords{"worker1", "worker2", "Worker"};
  CHECK(nearest("worker3", kWords) == "worker1");
  CHECK(nearest("worker", kWords) == "Worker");
  CHECK(nearest("Worker2", kWords) == "worker2");
}

TEST_CASE("long inputs cost nothing and have no nearest", "[exit_codes][nearest]") {
  const std::string huge(8'000'000, 'a');
  const std::string dashes(8'000'000, '-');
  const std::string long_name(126, 'a');
  const std::vector<std::string_view> candidates{huge, "Always"};
  const auto start = std::chrono::steady_clock::now();
  CHECK(nearest(huge, candidates).empty());
  CHECK(nearest(dashes + "Always", candidates).empty());
  CHECK(nearest(long_name, candidates).empty());
  // Under ThreadSanitizer on a busy machine it is a second; comparing them letter by letter takes
  // days.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a profile name of 63 characters is still found", "[exit_codes][nearest]") {
  const std::string name(63, 'p');
  const std::vector<std::string_view> candidates{name};
  CHECK(nearest(std::string(62, 'p') + "q", candidates) == name);
}

}  // namespace exit_codes
