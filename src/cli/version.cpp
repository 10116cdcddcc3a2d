#include "webhook/version.h"

#include <iostream>

#include "cli/command.h"
#include "cli/exit_status.h"

namespace cli {

void add_version(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("version", "Print the version.");
  command->callback([&action] {
    action = [] {
      std::cout << "tfjob-webhook " << webhook::kVersion << '\n';
      return static_cast<int>(ExitStatus::ok);
    };
  });
}

}  // namespace cli
