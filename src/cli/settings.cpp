#include "cli/settings.h"

#include <filesystem>
#include <iostream>
#include <optional>

#include "webhook/settings_file.h"

namespace cli {

std::shared_ptr<const admission::Settings> load_settings(const std::string& path) {
  const auto settings = webhook::load_settings(
      path.empty() ? std::nullopt : std::optional<std::filesystem::path>(path));
  if (settings) return *settings;
  std::cerr << settings.error() << '\n';
  return nullptr;
}

}  // namespace cli
