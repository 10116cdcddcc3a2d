#include "cli/run.h"

#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/app.h"
#include "cli/complete.h"
#include "cli/exit_status.h"
#include "cli/usage_error.h"

namespace cli {
namespace {

constexpr std::string_view kComplete = "__complete";

/// kubectl runs a program of this file name as `kubectl tfjob-policy`.
constexpr std::string_view kPluginFile = "kubectl-tfjob_policy";

std::string program_name(const char* path) {
  return std::filesystem::path(path).filename() == kPluginFile ? "kubectl tfjob-policy"
                                                               : "tfjob-webhook";
}

}  // namespace

int run(int argc, char** argv) {
  Action action;
  const auto app = make_app(program_name(argv[0]), action);
  if (argc > 2 && argv[1] == kComplete) {
    const std::vector<std::string> words(argv + 2, argv + argc);
    std::cout << to_text(complete(*app, words));
    return ExitStatus::ok;
  }
  try {
    app->parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app->exit(success);
  } catch (const CLI::ParseError& error) {
    std::cerr << "tfjob-webhook: " << describe_usage_error(*app, error);
    return ExitStatus::usage;
  }
  return action();
}

}  // namespace cli
