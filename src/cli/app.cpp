#include "cli/app.h"

#include "webhook/version.h"

namespace cli {

std::unique_ptr<CLI::App> make_app(const std::string& name, Action& action) {
  auto app = std::make_unique<CLI::App>(
      "Kubernetes admission webhook for the restart policies of Kubeflow training jobs:\n"
      "rejects policies that cannot work, and annotates jobs with the exit-code table that says\n"
      "which failures are worth a retry.",
      name);
  app->set_version_flag("--version", "tfjob-webhook " + std::string(webhook::kVersion));
  app->require_subcommand(1);
  // Of a flag given twice the last counts, as with Kubernetes' own programs.
  app->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app->footer(
      "Examples:\n"
      "  tfjob-webhook lint job.yaml\n"
      "  tfjob-webhook explain job.yaml\n"
      "  tfjob-webhook classify 137 --reason OOMKilled\n"
      "  tfjob-webhook serve --cert-dir /etc/tfjob-webhook/certs\n"
      "\n"
      "Exit status: 0 nothing denied, 1 something denied, 2 usage, 3 input unreadable.\n"
      "'tfjob-webhook COMMAND --help' tells more of each command.");
  for (const AddCommand add : commands()) add(*app, action);
  return app;
}

}  // namespace cli
