#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace config_test {

/// The two lines that every file begins with.
inline constexpr std::string_view kHead =
    "apiVersion: exit-codes.kubeflow.org/v1alpha1\nkind: WebhookConfiguration\n";

/// What is said of a file with the text `text`, called c.yaml; nothing if all is well.
inline std::vector<std::string> errors_of_file(std::string_view text) {
  std::vector<std::string> lines;
  const auto settings = config::parse(text, "c.yaml");
  if (settings) return lines;
  for (const config::Error& error : settings.error()) lines.push_back(to_string(error));
  return lines;
}

/// The same for a file that begins with `kHead`, so that `body` begins in line 3.
inline std::vector<std::string> errors_of(std::string_view body) {
  return errors_of_file(std::string(kHead) + std::string(body));
}

}  // namespace config_test
