#include "policies/policies.h"

#include <iostream>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/settings.h"

namespace cli {

void add_policies(CLI::App& app, Action& action) {
  auto configuration = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "policies", "Print the rules as admission policies of the API server itself (CEL).");
  command->add_option("--config", *configuration,
                      "Configuration file: its profiles, enforcement and namespaces");
  command->footer(
      "ValidatingAdmissionPolicies, a MutatingAdmissionPolicy and their bindings, for Kubernetes\n"
      "1.36 and later: a net under the webhook, or in its place. Comments say what they leave "
      "out.\n"
      "\n"
      "Examples:\n"
      "  tfjob-webhook policies | kubectl apply -f -\n"
      "  tfjob-webhook policies --config config.yaml > policies.yaml\n"
      "\n"
      "Exit status: 0, 2 usage, 3 configuration unreadable.");
  command->callback([configuration, &action] {
    action = [configuration]() -> int {
      const auto settings = load_settings(*configuration);
      if (!settings) return ExitStatus::unreadable;
      std::cout << policies::write_policies(*settings);
      return ExitStatus::ok;
    };
  });
}

}  // namespace cli
