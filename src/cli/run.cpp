#include "cli/run.h"

#include <iostream>
#include <string>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "webhook/version.h"

namespace cli {

int run(int argc, char** argv) {
  CLI::App app(
      "Kubernetes admission webhook for the restart policies of Kubeflow training jobs:\n"
      "rejects policies that cannot work, and annotates jobs with the exit-code table that says\n"
      "which failures are worth a retry.",
      "tfjob-webhook");
  app.set_version_flag("--version", "tfjob-webhook " + std::string(webhook::kVersion));
  app.require_subcommand(1);
  // Of a flag given twice the last counts, as with Kubernetes' own programs.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.footer(
      "Examples:\n"
      "  tfjob-webhook serve --cert-dir /etc/tfjob-webhook/certs\n"
      "  tfjob-webhook review review.json --show-patch\n"
      "  tfjob-webhook classify 137 --reason OOMKilled\n"
      "\n"
      "Exit status: 0 nothing denied, 1 something denied, 2 usage, 3 input unreadable.\n"
      "'tfjob-webhook COMMAND --help' tells more of each command.");

  Action action;
  for (const AddCommand add : commands()) add(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::cerr << "tfjob-webhook: " << error.what() << "\nRun with --help for more information.\n";
    return ExitStatus::usage;
  }
  return action();
}

}  // namespace cli
