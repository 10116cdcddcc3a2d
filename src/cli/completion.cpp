#include <iostream>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/completion_scripts.h"
#include "cli/exit_status.h"
#include "cli/one_of.h"

namespace cli {

void add_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print the script that completes this command line.");
  command->add_option("SHELL", *shell, "The shell")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  command->footer(
      "Examples:\n"
      "  source <(tfjob-webhook completion bash)\n"
      "  tfjob-webhook completion zsh > \"${fpath[1]}/_tfjob-webhook\"\n"
      "  tfjob-webhook completion fish > ~/.config/fish/completions/tfjob-webhook.fish\n"
      "\n"
      "Exit status: 0, 2 usage.");
  command->callback([shell, &action] {
    action = [shell] {
      std::cout << completion_script(*shell);
      return ExitStatus::ok;
    };
  });
}

}  // namespace cli
