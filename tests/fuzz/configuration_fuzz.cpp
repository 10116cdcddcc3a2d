// The configuration file: settings that hold together, or errors that say where.

#include "config/config.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto settings = config::parse(fuzz::text(data, size), "config.yaml");
  if (!settings) {
    fuzz::require(!settings.error().empty());
    for (const auto& error : settings.error()) fuzz::require(!config::to_string(error).empty());
    return 0;
  }
  fuzz::require(settings->profiles.find(settings->profile) != nullptr);
  fuzz::require(settings->rendered.size() == settings->profiles.all().size());
  for (const auto& rule : settings->namespaces) {
    fuzz::require(!rule.match.empty() && settings->profiles.find(rule.profile) != nullptr);
  }
  static_cast<void>(admission::settings_for(*settings, "team-a"));
  return 0;
}
