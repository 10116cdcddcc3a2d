#include "config/namespaces.h"

#include <string>
#include <string_view>
#include <tuple>

#include "config/config.h"
#include "tests/config/errors.h"
#include "tests/support/catch.h"

namespace {

using config_test::errors_of;
using Lines = std::vector<std::string>;

constexpr std::string_view kExample = ": write namespaces, such as [\"team-*\", research]";

}  // namespace

TEST_CASE("what a rule leaves out it has from the cluster", "[config][namespaces]") {
  const auto settings =
      config::parse(std::string(config_test::kHead) +
                        "namespaces:\n- match: [a]\n  enforcement: warn\n- match: ['b*', c]\n"
                        "  profile: signals\nenforcement: audit\nprofile: cloudml\n",
                    "c.yaml");
  REQUIRE(settings);
  REQUIRE(settings->namespaces.size() == 2);
  const auto& [first, second] = std::tie(settings->namespaces[0], settings->namespaces[1]);
  CHECK(first.match == Lines{"a"});
  CHECK(first.profile == "cloudml");
  CHECK(first.enforcement == admission::Enforcement::warn);
  CHECK(second.match == Lines{"b*", "c"});
  CHECK(second.profile == "signals");
  CHECK(second.enforcement == admission::Enforcement::audit);
}

TEST_CASE("a rule needs namespaces", "[config][namespaces]") {
  CHECK(errors_of("namespaces:\n- profile: signals\n") ==
        Lines{"c.yaml:4:3: namespaces[0]: match is missing" + std::string(kExample)});
  CHECK(errors_of("namespaces:\n- {match: [], profile: signals}\n") ==
        Lines{"c.yaml:4:11: namespaces[0].match: is empty" + std::string(kExample)});
  CHECK(errors_of("namespaces:\n- {match: team, profile: signals}\n") ==
        Lines{"c.yaml:4:11: namespaces[0].match: must be a list, not a string" +
              std::string(kExample)});
  CHECK(errors_of("namespaces:\n- {match: [a, 1, '', [b]], profile: signals}\n") ==
        Lines{"c.yaml:4:15: namespaces[0].match[1]: must be a string, not a number: quote '1'",
              "c.yaml:4:18: namespaces[0].match[2]: is empty, which matches no namespace: write "
              "\"*\" for all of them",
              "c.yaml:4:22: namespaces[0].match[3]: must be a string, not a list"});
}

TEST_CASE("a rule changes something", "[config][namespaces]") {
  CHECK(errors_of("namespaces:\n- match: [a]\n") ==
        Lines{"c.yaml:4:3: namespaces[0]: changes nothing: write profile, enforcement or both"});
}

TEST_CASE("rules are mappings with known keys", "[config][namespaces]") {
  CHECK(errors_of("namespaces:\n- team-a\n-\n") ==
        Lines{"c.yaml:4:3: namespaces[0]: must be a mapping of keys to values, not a string",
              "c.yaml:5:2: namespaces[1]: has no value: indent its keys below it, or remove it"});
  CHECK(errors_of("namespaces:\n- {match: [a], profiel: signals, enforcement: warn}\n") ==
        Lines{"c.yaml:4:16: unknown key 'profiel' in namespaces[0]: did you mean 'profile'? There "
              "are match, profile, enforcement"});
}

TEST_CASE("profile and enforcement of a rule are checked", "[config][namespaces]") {
  CHECK(errors_of("namespaces:\n- {match: [a], profile: signal, enforcement: Warn}\n") ==
        Lines{"c.yaml:4:25: namespaces[0].profile: there is no profile 'signal': did you mean "
              "'signals'? There are kubeflow, signals, cloudml, all-permanent, all-retryable",
              "c.yaml:4:46: namespaces[0].enforcement: 'Warn' is not known: did you mean 'warn'? "
              "There are deny, warn, audit"});
}

TEST_CASE("an unquoted glob is told to be quoted", "[config][namespaces]") {
  CHECK(errors_of("namespaces:\n- {match: [*team], profile: signals}\n") ==
        Lines{"c.yaml:4:12: no anchor '&team' comes before this alias"});
}
