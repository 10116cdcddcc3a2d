#include "admission/settings.h"

#include <string_view>
#include <utility>

#include "tests/support/catch.h"

namespace {

using admission::Enforcement;
using admission::Settings;

Settings settings_with(std::vector<admission::NamespaceRule> rules) {
  Settings settings;
  settings.namespaces = std::move(rules);
  return settings;
}

std::string_view profile_in(const Settings& settings, std::string_view name) {
  return settings_for(settings, name).profile->profile;
}

}  // namespace

TEST_CASE("a namespace that no rule matches has the cluster's settings", "[admission][settings]") {
  Settings settings = settings_with({{{"team-*"}, "signals", Enforcement::warn}});
  CHECK(profile_in(settings, "default") == "kubeflow");
  CHECK(settings_for(settings, "default").enforcement == Enforcement::deny);

  settings.profile = "cloudml";
  settings.enforcement = Enforcement::audit;
  CHECK(profile_in(settings, "default") == "cloudml");
  CHECK(settings_for(settings, "default").enforcement == Enforcement::audit);
}

TEST_CASE("a rule decides for the namespaces that one of its globs matches",
          "[admission][settings]") {
  const Settings settings =
      settings_with({{{"team-*", "research", "gpu-[0-9]", "a?c"}, "signals", Enforcement::warn}});
  for (const std::string_view name : {"team-", "team-a", "team-a-b", "research", "gpu-7", "abc"}) {
    INFO(name);
    CHECK(profile_in(settings, name) == "signals");
    CHECK(settings_for(settings, name).enforcement == Enforcement::warn);
  }
  for (const std::string_view name :
       {"team", "my-team-a", "research2", "gpu-x", "gpu-", "ac", ""}) {
    INFO(name);
    CHECK(profile_in(settings, name) == "kubeflow");
    CHECK(settings_for(settings, name).enforcement == Enforcement::deny);
  }
}

TEST_CASE("the first rule that matches decides", "[admission][settings]") {
  const Settings settings = settings_with({{{"team-a"}, "signals", Enforcement::audit},
                                           {{"team-*"}, "cloudml", Enforcement::warn},
                                           {{"*"}, "all-permanent", Enforcement::deny}});
  CHECK(profile_in(settings, "team-a") == "signals");
  CHECK(settings_for(settings, "team-a").enforcement == Enforcement::audit);
  CHECK(profile_in(settings, "team-b") == "cloudml");
  CHECK(profile_in(settings, "other") == "all-permanent");
}

TEST_CASE("enforcement is printed as it is written", "[admission][settings]") {
  CHECK(to_string(Enforcement::deny) == "deny");
  CHECK(to_string(Enforcement::warn) == "warn");
  CHECK(to_string(Enforcement::audit) == "audit");
}
