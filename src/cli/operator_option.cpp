#include "cli/operator_option.h"

#include "cli/settings.h"
#include "operators/operator.h"

namespace cli {

void add_operator_option(CLI::App& command, std::string& value) {
  command
      .add_option("--operator", value,
                  "Operator to compare with, such as training-operator/1.9 or tf-operator/1.4 "
                  "(default: the configuration's)")
      ->check(CLI::Validator(
          [](std::string& name) -> std::string {
            const auto found = operators::find_operator(name);
            if (!found) return found.error();
            name = (*found)->name;
            return {};
          },
          ""));
}

std::shared_ptr<const admission::Settings> load_settings(const std::string& path,
                                                         const std::string& given) {
  std::shared_ptr<const admission::Settings> loaded = load_settings(path);
  if (!loaded || given.empty()) return loaded;
  auto settings = std::make_shared<admission::Settings>(*loaded);
  settings->operator_version = given;
  return settings;
}

}  // namespace cli
