#include "admission/settings.h"

#include <algorithm>

#include <fnmatch.h>

namespace admission {

NamespaceSettings settings_for(const Settings& settings, std::string_view name) {
  const std::string text(name);
  for (const NamespaceRule& rule : settings.namespaces) {
    const bool matches = std::ranges::any_of(rule.match, [&](const std::string& glob) {
      return ::fnmatch(glob.c_str(), text.c_str(), 0) == 0;
    });
    if (matches) return {settings.profiles.find(rule.profile), rule.enforcement};
  }
  return {settings.profiles.find(settings.profile), settings.enforcement};
}

std::string_view to_string(Enforcement enforcement) noexcept {
  switch (enforcement) {
    case Enforcement::deny:
      return "deny";
    case Enforcement::warn:
      return "warn";
    case Enforcement::audit:
      return "audit";
  }
  return "deny";
}

}  // namespace admission
