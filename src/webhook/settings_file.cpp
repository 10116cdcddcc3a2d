#include "webhook/settings_file.h"

#include <utility>

#include "config/config.h"

namespace webhook {

std::expected<std::shared_ptr<const admission::Settings>, std::string> load_settings(
    const std::optional<std::filesystem::path>& file) {
  if (!file) return std::make_shared<const admission::Settings>();
  auto settings = config::load(*file);
  if (settings) return std::make_shared<const admission::Settings>(std::move(*settings));
  std::string lines;
  for (const config::Error& error : settings.error()) {
    if (!lines.empty()) lines += '\n';
    lines += config::to_string(error);
  }
  return std::unexpected(std::move(lines));
}

}  // namespace webhook
