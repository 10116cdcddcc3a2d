#include "exit_codes/profile.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/catch.h"

namespace exit_codes {
namespace {

/// The table of built-in profiles in the design, code by code.
struct Expected {
  std::string_view name;
  bool (*permanent)(int);
  bool (*retryable)(int);
  Verdict undefined;
  Verdict disruption;
  Verdict no_exit_code;
};

bool is_one_of(int code, std::initializer_list<int> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

bool none(int /*code*/) { return false; }
bool kubeflow_permanent(int code) { return is_one_of(code, {1, 2, 126, 127, 128, 139}); }
bool kubeflow_retryable(int code) { return is_one_of(code, {130, 137, 138, 143}); }
bool cloudml_retryable(int code) { return is_one_of(code, {130, 137, 143}); }
bool below_128(int code) { return code >= 1 && code <= 127; }
bool from_128(int code) { return code >= 128 && code <= 255; }

const std::vector<Expected>& expected_profiles() {
  constexpr auto kPermanent = Verdict::permanent;
  constexpr auto kRetryable = Verdict::retryable;
  static const std::vector<Expected> expected{
      {"kubeflow", kubeflow_permanent, kubeflow_retryable, kPermanent, kRetryable, kRetryable},
      {"signals", below_128, from_128, kRetryable, kRetryable, kRetryable},
      {"cloudml", none, cloudml_retryable, kPermanent, kRetryable, kRetryable},
      {"all-permanent", none, none, kPermanent, kPermanent, kPermanent},
      {"all-retryable", kubeflow_permanent, kubeflow_retryable, kRetryable, kRetryable, kRetryable},
  };
  return expected;
}

ProfileDefinition definition(std::string name, std::string extends) {
  ProfileDefinition made;
  made.name = std::move(name);
  made.extends = std::move(extends);
  return made;
}

Profiles make(const std::vector<ProfileDefinition>& definitions) {
  auto made = Profiles::make(definitions);
  if (const auto* error = std::get_if<ProfileError>(&made)) FAIL(error->message);
  return std::get<Profiles>(std::move(made));
}

ProfileError error_of(const std::vector<ProfileDefinition>& definitions) {
  auto made = Profiles::make(definitions);
  if (!std::holds_alternative<ProfileError>(made)) FAIL("profiles were made");
  return std::get<ProfileError>(std::move(made));
}

}  // namespace

TEST_CASE("every code has the verdict of the design in every built-in profile",
          "[exit_codes][profile]") {
  REQUIRE(built_in_profiles().size() == expected_profiles().size());
  for (std::size_t i = 0; i < expected_profiles().size(); ++i) {
    const Expected& expected = expected_profiles()[i];
    const Table& table = built_in_profiles()[i];
    CHECK(table.profile == expected.name);
    for (int code = 0; code <= 255; ++code) {
      CAPTURE(expected.name, code);
      Verdict verdict = Verdict::undefined;
      if (expected.permanent(code)) verdict = Verdict::permanent;
      if (expected.retryable(code)) verdict = Verdict::retryable;
      CHECK(table.verdict_of(code) == verdict);
      CHECK(table.handled_as(verdict) ==
            (verdict == Verdict::undefined ? expected.undefined : verdict));
    }
    CHECK(table.disruption == expected.disruption);
    CHECK(table.no_exit_code == expected.no_exit_code);
    CHECK(table.reasons == std::map<std::string, Verdict>{{"OOMKilled", Verdict::permanent}});
    CHECK_FALSE(table.max_retries.has_value());
    CHECK((table.permanent & table.retryable).empty());
  }
}

TEST_CASE("profiles without definitions are the built-in ones", "[exit_codes][profile]") {
  const Profiles profiles;
  CHECK(profiles.names() == std::vector<std::string_view>{"kubeflow", "signals", "cloudml",
                                                          "all-permanent", "all-retryable"});
  REQUIRE(profiles.find("cloudml") != nullptr);
  CHECK(profiles.find("cloudml")->profile == "cloudml");
  CHECK(profiles.find("Kubeflow") == nullptr);
  CHECK(profiles.find("") == nullptr);
  CHECK(make({}).names() == profiles.names());
}

TEST_CASE("profile names are DNS-like, 1 to 63 characters", "[exit_codes][profile]") {
  for (const std::string& name :
       {std::string("a"), std::string("9"), std::string("my-cloud.2"), std::string(63, 'a')}) {
    CAPTURE(name);
    CHECK(is_profile_name(name));
  }
  for (const std::string& name :
       {std::string(), std::string("My"), std::string("a_b"), std::string("-a"), std::string("a-"),
        std::string("."), std::string("a b"), std::string(64, 'a'), std::string("\u00E4")}) {
    CAPTURE(name);
    CHECK_FALSE(is_profile_name(name));
  }
}

TEST_CASE("a definition extends kubeflow unless it says otherwise", "[exit_codes][profile]") {
  ProfileDefinition mine;
  mine.name = "mine";
  const Profiles profiles = make({mine});
  Table expected = built_in_profiles()[0];
  expected.profile = "mine";
  CHECK(*profiles.find("mine") == expected);
}

TEST_CASE("a definition overrides everything that it names", "[exit_codes][profile]") {
  ProfileDefinition mine = definition("mine", "kubeflow");
  mine.overrides = {.retryable = {1, 42}, .permanent = {143, 255}, .max_retries = 5};
  mine.remove = {2, 138};
  mine.reasons = {{"OOMKilled", std::nullopt}, {"Evicted", Verdict::retryable}};
  mine.undefined = Verdict::retryable;
  mine.disruption = Verdict::permanent;
  mine.no_exit_code = Verdict::permanent;
  const Profiles profiles = make({mine});
  const Table& table = *profiles.find("mine");
  CHECK(table.permanent == CodeSet{126, 127, 128, 139, 143, 255});
  CHECK(table.retryable == CodeSet{1, 42, 130, 137});
  CHECK(table.verdict_of(2) == Verdict::undefined);
  CHECK(table.verdict_of(138) == Verdict::undefined);
  CHECK(table.reasons == std::map<std::string, Verdict>{{"Evicted", Verdict::retryable}});
  CHECK(table.undefined == Verdict::retryable);
  CHECK(table.disruption == Verdict::permanent);
  CHECK(table.no_exit_code == Verdict::permanent);
  CHECK(table.max_retries == 5);
}

TEST_CASE("reasons are merged, the own one winning", "[exit_codes][profile]") {
  ProfileDefinition base = definition("base", "kubeflow");
  base.reasons = {{"Evicted", Verdict::permanent}, {"Error", Verdict::permanent}};
  ProfileDefinition top = definition("top", "base");
  top.reasons = {{"Evicted", Verdict::retryable}, {"Absent", std::nullopt}};
  const Profiles profiles = make({base, top});
  CHECK(profiles.find("top")->reasons ==
        std::map<std::string, Verdict>{{"Error", Verdict::permanent},
                                       {"Evicted", Verdict::retryable},
                                       {"OOMKilled", Verdict::permanent}});
}

TEST_CASE("definitions extend one another in any order", "[exit_codes][profile]") {
  ProfileDefinition top = definition("top", "middle");
  top.overrides.permanent = {42};
  ProfileDefinition middle = definition("middle", "bottom");
  middle.overrides = {.retryable = {42, 43}, .permanent = {}, .max_retries = 3};
  ProfileDefinition bottom = definition("bottom", "cloudml");
  bottom.undefined = Verdict::retryable;
  std::vector<ProfileDefinition> definitions{top, middle, bottom};
  std::ranges::sort(definitions, {}, &ProfileDefinition::name);
  do {
    const Profiles profiles = make(definitions);
    std::vector<std::string_view> names{"kubeflow", "signals", "cloudml", "all-permanent",
                                        "all-retryable"};
    for (const ProfileDefinition& each : definitions) names.push_back(each.name);
    CHECK(profiles.names() == names);
    const Table& table = *profiles.find("top");
    CHECK(table.profile == "top");
    CHECK(table.permanent == CodeSet{42});
    CHECK(table.retryable == CodeSet{43, 130, 137, 143});
    CHECK(table.undefined == Verdict::retryable);
    CHECK(table.max_retries == 3);
    CHECK(profiles.find("bottom")->retryable == CodeSet{130, 137, 143});
    CHECK_FALSE(profiles.find("bottom")->max_retries.has_value());
  } while (std::ranges::next_permutation(definitions, {}, &ProfileDefinition::name).found);
}

TEST_CASE("a chain of profiles may be long", "[exit_codes][profile]") {
  constexpr int kLength = 1000;
  std::vector<ProfileDefinition> definitions;
  definitions.reserve(kLength + 1);
  for (int i = 0; i < kLength; ++i) {
    definitions.push_back(definition("p" + std::to_string(i), "p" + std::to_string(i + 1)));
  }
  definitions.push_back(definition("p" + std::to_string(kLength), "signals"));
  const Profiles profiles = make(definitions);
  CHECK(profiles.find("p0")->verdict_of(200) == Verdict::retryable);
}

TEST_CASE("copies of profiles are independent", "[exit_codes][profile]") {
  Profiles copy;
  {
    const Profiles profiles = make({definition("mine", "signals")});
    copy = profiles;
  }
  REQUIRE(copy.find("mine") != nullptr);
  CHECK(copy.find("mine")->verdict_of(127) == Verdict::permanent);
}

TEST_CASE("a bad profile name is refused", "[exit_codes][profile]") {
  const ProfileError error = error_of({definition("My_Cloud", "kubeflow")});
  CHECK(error.kind == ProfileError::Kind::bad_name);
  CHECK(error.profile == "My_Cloud");
  CHECK(
      error.message ==
      "'My_Cloud' is no profile name: write 1 to 63 lower-case letters, digits, '-' and '.', with "
      "a letter or digit at both ends");
}

TEST_CASE("built-in profiles cannot be redefined", "[exit_codes][profile]") {
  for (const Table& table : built_in_profiles()) {
    const ProfileError error = error_of({definition(table.profile, "kubeflow")});
    CHECK(error.kind == ProfileError::Kind::built_in_name);
    CHECK(error.profile == table.profile);
    CHECK(error.message ==
          "profile '" + table.profile +
              "' is built in and cannot be redefined: choose another name, and let "
              "it extend " +
              table.profile);
  }
}

TEST_CASE("two definitions of one name are refused", "[exit_codes][profile]") {
  const ProfileError error = error_of({definition("a", "kubeflow"), definition("a", "signals")});
  CHECK(error.kind == ProfileError::Kind::defined_twice);
  CHECK(error.profile == "a");
  CHECK(error.message == "profile 'a' is defined twice: rename or remove one");
}

TEST_CASE("an unknown base names the nearest profile and lists all", "[exit_codes][profile]") {
  const ProfileError error = error_of({definition("a", "kubeflo"), definition("b", "signals")});
  CHECK(error.kind == ProfileError::Kind::unknown_extends);
  CHECK(error.profile == "a");
  CHECK(error.message ==
        "profile 'a' extends 'kubeflo', which does not exist: did you mean 'kubeflow'? There are "
        "kubeflow, signals, cloudml, all-permanent, all-retryable, b");
}

TEST_CASE("an unknown base that is like none lists all profiles", "[exit_codes][profile]") {
  const ProfileError error = error_of({definition("a", "")});
  CHECK(error.kind == ProfileError::Kind::unknown_extends);
  CHECK(error.message ==
        "profile 'a' extends '', which does not exist: write one of kubeflow, signals, cloudml, "
        "all-permanent, all-retryable");
}

TEST_CASE("a cycle is named whole", "[exit_codes][profile]") {
  const ProfileError error =
      error_of({definition("c", "a"), definition("a", "b"), definition("b", "a")});
  CHECK(error.kind == ProfileError::Kind::cycle);
  CHECK(error.profile == "a");
  CHECK(error.message ==
        "profile 'a' extends itself (a -> b -> a): let it extend a built-in profile, such as "
        "kubeflow");
}

TEST_CASE("a profile that extends itself is a cycle", "[exit_codes][profile]") {
  const ProfileError error = error_of({definition("ok", "kubeflow"), definition("a", "a")});
  CHECK(error.kind == ProfileError::Kind::cycle);
  CHECK(error.message ==
        "profile 'a' extends itself (a -> a): let it extend a built-in profile, such as kubeflow");
}

TEST_CASE("one code on two sides of a definition is refused", "[exit_codes][profile]") {
  ProfileDefinition sides = definition("a", "kubeflow");
  sides.overrides = {.retryable = {42, 50}, .permanent = {43, 50, 42}, .max_retries = {}};
  ProfileDefinition retryable = definition("a", "kubeflow");
  retryable.overrides.retryable = {7};
  retryable.remove = {7};
  ProfileDefinition permanent = definition("a", "kubeflow");
  permanent.overrides.permanent = {8};
  permanent.remove = {8};
  const std::vector<std::pair<ProfileDefinition, std::string>> cases{
      {sides, "profile 'a' has 42 in both retryable and permanent: keep it in one"},
      {retryable, "profile 'a' has 7 in both retryable and remove: keep it in one"},
      {permanent, "profile 'a' has 8 in both permanent and remove: keep it in one"}};
  for (const auto& [faulty, message] : cases) {
    const ProfileError error = error_of({faulty});
    CHECK(error.kind == ProfileError::Kind::code_twice);
    CHECK(error.profile == "a");
    CHECK(error.message == message);
  }
}

}  // namespace exit_codes
