#include "config/profiles.h"

#include <string>
#include <string_view>

#include "config/config.h"
#include "tests/config/errors.h"
#include "tests/support/catch.h"

namespace {

using config_test::errors_of;
using exit_codes::CodeSet;
using exit_codes::Verdict;
using Lines = std::vector<std::string>;

constexpr std::string_view kKnownProfiles =
    "kubeflow, signals, cloudml, all-permanent, all-retryable";

/// The table of the profile `p` whose definition is the flow mapping `definition`.
exit_codes::Table profile(std::string_view definition) {
  const std::string text =
      std::string(config_test::kHead) + "profiles:\n  p: " + std::string(definition) + "\n";
  const auto settings = config::parse(text, "c.yaml");
  if (!settings) throw std::runtime_error(to_string(settings.error().front()));
  return *settings->profiles.find("p");
}

/// What is said of such a definition, which begins in line 4, column 6.
Lines errors_in(std::string_view definition) {
  return errors_of("profiles:\n  p: " + std::string(definition) + "\n");
}

}  // namespace

TEST_CASE("a profile without keys is kubeflow by another name", "[config][profiles]") {
  exit_codes::Table expected = exit_codes::built_in_profiles()[0];
  expected.profile = "p";
  CHECK(profile("{}") == expected);
}

TEST_CASE("codes are a string, a number or a list", "[config][profiles]") {
  const CodeSet expected = CodeSet{130, 137, 138, 143, 42};
  CHECK(profile("{retryable: \"42\"}").retryable == expected);
  CHECK(profile("{retryable: 42}").retryable == expected);
  CHECK(profile("{retryable: [42]}").retryable == expected);
  CHECK(profile("{retryable: ['42']}").retryable == expected);
  CHECK(profile("{retryable: \"42, 50-52,SIGUSR2, EX_TEMPFAIL\"}").retryable ==
        CodeSet{130, 137, 138, 143, 42, 50, 51, 52, 140, 75});
  CHECK(profile("{retryable: [42, 50-52, SIGUSR2, EX_TEMPFAIL]}").retryable ==
        CodeSet{130, 137, 138, 143, 42, 50, 51, 52, 140, 75});
}

TEST_CASE("codes move from side to side", "[config][profiles]") {
  const exit_codes::Table table =
      profile("{extends: kubeflow, permanent: [130, 255], retryable: 1, remove: SIGSEGV}");
  CHECK(table.permanent == CodeSet{2, 126, 127, 128, 130, 255});
  CHECK(table.retryable == CodeSet{1, 137, 138, 143});
}

TEST_CASE("verdicts and the limit override", "[config][profiles]") {
  const exit_codes::Table table = profile(
      "{undefined: retryable, disruption: permanent, noExitCode: permanent, maxRetries: 0}");
  CHECK(table.undefined == Verdict::retryable);
  CHECK(table.disruption == Verdict::permanent);
  CHECK(table.no_exit_code == Verdict::permanent);
  CHECK(table.max_retries == 0);
  CHECK(profile("{maxRetries: 999999999}").max_retries == 999'999'999);
}

TEST_CASE("reasons are merged, and null deletes one", "[config][profiles]") {
  using Reasons = std::map<std::string, Verdict>;
  CHECK(profile("{reasons: {Evicted: retryable}}").reasons ==
        Reasons{{"Evicted", Verdict::retryable}, {"OOMKilled", Verdict::permanent}});
  CHECK(profile("{reasons: {OOMKilled: ~}}").reasons.empty());
  CHECK(profile("{reasons: {OOMKilled: null, A: permanent}}").reasons ==
        Reasons{{"A", Verdict::permanent}});
  CHECK(profile("{reasons: }").reasons == Reasons{{"OOMKilled", Verdict::permanent}});
}

TEST_CASE("profiles may extend each other in any order", "[config][profiles]") {
  const auto settings = config::parse(std::string(config_test::kHead) +
                                          "profiles:\n  a: {extends: b, permanent: 10}\n"
                                          "  b: {extends: signals, maxRetries: 4}\n",
                                      "c.yaml");
  REQUIRE(settings);
  const exit_codes::Table* table = settings->profiles.find("a");
  CHECK(table->undefined == Verdict::retryable);
  CHECK(table->max_retries == 4);
}

TEST_CASE("bad codes are errors", "[config][profiles]") {
  CHECK(errors_in("{retryable: \"42, 256\"}") ==
        Lines{"c.yaml:4:18: profiles.p.retryable: '256' is not an exit code: write a number from 1 "
              "to 255"});
  CHECK(errors_in("{retryable: [42, 0, 300]}") ==
        Lines{"c.yaml:4:23: profiles.p.retryable[1]: '0' is success, which no list can hold: write "
              "a number from 1 to 255",
              "c.yaml:4:26: profiles.p.retryable[2]: '300' is not an exit code: write a number "
              "from 1 to 255"});
  CHECK(errors_in("{permanent: 010}") ==
        Lines{"c.yaml:4:18: profiles.p.permanent: '010' has a leading zero: write 10"});
  CHECK(errors_in("{permanent: 0x10}") ==
        Lines{"c.yaml:4:18: profiles.p.permanent: '0x10' is hexadecimal: write 16"});
}

TEST_CASE("codes of the wrong type are errors", "[config][profiles]") {
  const std::string expected =
      ": write exit codes, such as \"42, 100-110, SIGUSR2\" or [42, "
      "SIGUSR2]";
  CHECK(errors_in("{remove: []}") ==
        Lines{"c.yaml:4:15: profiles.p.remove: has no codes" + expected + ", or remove the key"});
  CHECK(errors_in("{remove: }") ==
        Lines{"c.yaml:4:15: profiles.p.remove: has no codes" + expected + ", or remove the key"});
  CHECK(errors_in("{remove: {a: b}}") ==
        Lines{"c.yaml:4:15: profiles.p.remove: must be a list, not a mapping" + expected});
  CHECK(errors_in("{remove: [[1], ~]}") ==
        Lines{"c.yaml:4:16: profiles.p.remove[0]: must be one exit code, not a list: write a "
              "number, a range or a name, such as 42 or SIGUSR2",
              "c.yaml:4:21: profiles.p.remove[1]: must be one exit code, not null: write a "
              "number, a range or a name, such as 42 or SIGUSR2"});
}

TEST_CASE("maxRetries has a range", "[config][profiles]") {
  CHECK(errors_in("{maxRetries: -1}") ==
        Lines{"c.yaml:4:19: profiles.p.maxRetries: '-1' is negative: write a number from 0 to "
              "999999999, or leave it out for no limit"});
  CHECK(errors_in("{maxRetries: 1000000000}") ==
        Lines{"c.yaml:4:19: profiles.p.maxRetries: '1000000000' is too large: write a number from "
              "0 to 999999999"});
  CHECK(errors_in("{maxRetries: many}") ==
        Lines{"c.yaml:4:19: profiles.p.maxRetries: 'many' is no number of retries: write a number "
              "from 0 to 999999999"});
  CHECK(errors_in("{maxRetries: \"5\"}") ==
        Lines{"c.yaml:4:19: profiles.p.maxRetries: must be a number, not a string: write 5 without "
              "quotes"});
  CHECK(errors_in("{maxRetries: [5]}") ==
        Lines{"c.yaml:4:19: profiles.p.maxRetries: must be a number, not a list: write how often a "
              "replica may be retried, or remove the key"});
}

TEST_CASE("verdicts are two words", "[config][profiles]") {
  CHECK(errors_in("{undefined: undefined}") ==
        Lines{"c.yaml:4:18: profiles.p.undefined: 'undefined' is not known: write one of "
              "retryable, permanent"});
  CHECK(errors_in("{noExitCode: retriable}") ==
        Lines{"c.yaml:4:19: profiles.p.noExitCode: 'retriable' is not known: did you mean "
              "'retryable'? There are retryable, permanent"});
  CHECK(errors_in("{disruption: false}") ==
        Lines{"c.yaml:4:19: profiles.p.disruption: 'false' is not known: write one of retryable, "
              "permanent"});
  CHECK(errors_in("{reasons: {OOMKilled: never}}") ==
        Lines{"c.yaml:4:28: profiles.p.reasons.OOMKilled: 'never' is not known: write one of "
              "retryable, permanent"});
  CHECK(errors_in("{reasons: [OOMKilled]}") ==
        Lines{"c.yaml:4:16: profiles.p.reasons: must be a mapping of reasons to verdicts, not a "
              "list: write, for example, OOMKilled: permanent"});
  CHECK(errors_in("{reasons: {A: permanent, A: retryable}}") ==
        Lines{"c.yaml:4:31: key 'A' was given already in line 4: remove one of the two"});
}

TEST_CASE("profiles are mappings with known keys", "[config][profiles]") {
  CHECK(errors_in("kubeflow") ==
        Lines{"c.yaml:4:6: profiles.p: must be a mapping of keys to values, not a string"});
  CHECK(errors_in("") ==
        Lines{"c.yaml:4:5: profiles.p: has no value: indent its keys below it, or remove it"});
  CHECK(errors_in("{retriable: 1}") ==
        Lines{"c.yaml:4:7: unknown key 'retriable' in profiles.p: did you mean 'retryable'? There "
              "are extends, permanent, retryable, remove, reasons, undefined, disruption, "
              "noExitCode, maxRetries"});
  CHECK(errors_in("{extends: 3}") ==
        Lines{"c.yaml:4:16: profiles.p.extends: must be a string, not a number: quote '3'"});
}

TEST_CASE("names of profiles are checked", "[config][profiles]") {
  CHECK(errors_of("profiles:\n  My_Cloud: {}\n") ==
        Lines{"c.yaml:4:3: 'My_Cloud' is no profile name: write 1 to 63 lower-case letters, "
              "digits, '-' and '.', with a letter or digit at both ends"});
  CHECK(errors_of("profiles:\n  signals: {maxRetries: 3}\n") ==
        Lines{"c.yaml:4:3: profile 'signals' is built in and cannot be redefined: choose another "
              "name, and let it extend signals"});
  CHECK(errors_of("profiles:\n  a: {}\n  a: {}\n") ==
        Lines{"c.yaml:5:3: key 'a' was given already in line 4: remove one of the two"});
}

TEST_CASE("a faulty profile is told once, wherever it is named", "[config][profiles]") {
  CHECK(errors_of("profile: My_Cloud\nprofiles:\n  My_Cloud: {}\n  a: {extends: My_Cloud}\n") ==
        Lines{"c.yaml:5:3: 'My_Cloud' is no profile name: write 1 to 63 lower-case letters, "
              "digits, '-' and '.', with a letter or digit at both ends"});
  CHECK(errors_of("profile: a\nprofiles:\n  a: {extends: nope}\n  b: {extends: a}\n") ==
        Lines{"c.yaml:5:16: profile 'a' extends 'nope', which does not exist: write one of " +
              std::string(kKnownProfiles) + ", b"});
}

TEST_CASE("what extends is checked where it stands", "[config][profiles]") {
  CHECK(errors_in("{extends: kubeflw}") ==
        Lines{"c.yaml:4:16: profile 'p' extends 'kubeflw', which does not exist: did you mean "
              "'kubeflow'? There are " +
              std::string(kKnownProfiles)});
}

TEST_CASE("profiles cannot extend themselves", "[config][profiles]") {
  CHECK(errors_in("{extends: p}") ==
        Lines{"c.yaml:4:16: profile 'p' extends itself (p -> p): let it extend a built-in profile, "
              "such as kubeflow"});
  CHECK(
      errors_of("profiles:\n  a:\n    extends: b\n  b:\n    extends: a\n  c:\n    extends: c\n") ==
      Lines{"c.yaml:5:14: profile 'a' extends itself (a -> b -> a): let it extend a built-in "
            "profile, such as kubeflow",
            "c.yaml:9:14: profile 'c' extends itself (c -> c): let it extend a built-in profile, "
            "such as kubeflow"});
}

TEST_CASE("a code is in one list only", "[config][profiles]") {
  CHECK(errors_in("{retryable: \"1-10\", permanent: 5}") ==
        Lines{"c.yaml:4:3: profile 'p' has 5 in both retryable and permanent: keep it in one"});
  CHECK(errors_in("{remove: SIGKILL, permanent: 137}") ==
        Lines{"c.yaml:4:3: profile 'p' has 137 in both permanent and remove: keep it in one"});
}

TEST_CASE("hostile names do not break messages", "[config][profiles]") {
  CHECK(errors_of("profiles:\n  \"a\\nb\": {x: 1, extends: 3}\n") ==
        Lines{"c.yaml:4:3: 'a?b' is no profile name: write 1 to 63 lower-case letters, digits, '-' "
              "and '.', with a letter or digit at both ends",
              "c.yaml:4:12: unknown key 'x' in profiles.'a?b': write one of extends, permanent, "
              "retryable, remove, reasons, undefined, disruption, noExitCode, maxRetries",
              "c.yaml:4:27: profiles.'a?b'.extends: must be a string, not a number: quote '3'"});
}
