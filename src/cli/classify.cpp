#include <charconv>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/classify_pods.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/input.h"
#include "cli/settings.h"
#include "exit_codes/code_names.h"
#include "exit_codes/decision.h"
#include "exit_codes/nearest.h"
#include "jobs/text.h"

namespace cli {
namespace {

struct ClassifyOptions {
  std::string code;
  std::string reason;
  std::string profile;
  std::string configuration;
  std::string container;
  int retries = 0;
};

/// A whole number, or the name of a signal or of sysexits.h.
std::optional<std::int64_t> parse_code(const std::string& text) {
  if (const auto named = exit_codes::code_of_name(text)) return *named;
  std::int64_t code = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, code);
  if (error != std::errc() || rest != end) return std::nullopt;
  return code;
}

/// The profile to ask; null after telling that there is none of that name.
const exit_codes::Table* find_profile(const ClassifyOptions& options,
                                      const admission::Settings& settings) {
  const std::string& name = options.profile.empty() ? settings.profile : options.profile;
  const exit_codes::Table* const table = settings.profiles.find(name);
  if (table != nullptr) return table;
  const auto names = settings.profiles.names();
  const std::string_view near = exit_codes::nearest(name, names);
  std::cerr << "tfjob-webhook: there is no profile " << name << ": ";
  if (!near.empty()) std::cerr << "did you mean " << near << "? ";
  std::cerr << "The profiles are " << jobs::joined(names) << '\n';
  return nullptr;
}

int classify_input(const ClassifyOptions& options) {
  const auto settings = load_settings(options.configuration);
  if (!settings) return ExitStatus::unreadable;
  const exit_codes::Table* const table = find_profile(options, *settings);
  if (table == nullptr) return ExitStatus::usage;
  const auto text = read_input("-");
  if (!text) {
    std::cerr << "tfjob-webhook: " << text.error() << '\n';
    return ExitStatus::unreadable;
  }
  return classify_pods(
      *text, {.table = table, .container = options.container, .retries = options.retries});
}

int classify(const ClassifyOptions& options) {
  if (options.code == "-") return classify_input(options);
  const auto code = parse_code(options.code);
  if (!code) {
    std::cerr << "tfjob-webhook: " << options.code
              << " is no exit code: give a whole number, or a name such as SIGTERM or "
                 "EX_TEMPFAIL\n";
    return ExitStatus::usage;
  }
  const auto settings = load_settings(options.configuration);
  if (!settings) return ExitStatus::unreadable;
  const exit_codes::Table* const table = find_profile(options, *settings);
  if (table == nullptr) return ExitStatus::usage;

  exit_codes::Pod pod;
  // Nothing that failed ends with 0, but for a failed pod whose job's container did well; the
  // question here is about one container.
  pod.succeeded = *code == 0 && options.reason.empty();
  pod.containers.push_back(
      {.name = {},
       .terminated =
           exit_codes::Terminated{.exit_code = *code, .reason = options.reason, .finished_at = {}},
       .restartable = false});
  const exit_codes::Decision decision = exit_codes::decide(*table, pod, "", options.retries);
  std::cout << to_text(decision);
  return ExitStatus::ok;
}

}  // namespace

void add_classify(CLI::App& app, Action& action) {
  auto options = std::make_shared<ClassifyOptions>();
  CLI::App* command =
      app.add_subcommand("classify", "Tell what an exit code means, or the end of a pod, and why.");
  command
      ->add_option("CODE", options->code,
                   "Exit code, or a name such as SIGTERM or EX_TEMPFAIL; - reads pods from "
                   "standard input")
      ->required();
  command->add_option("--reason", options->reason, "Reason of the container, such as OOMKilled");
  command->add_option(
      "--profile", options->profile,
      "Profile to ask (default: the configuration's); a pod's own table goes first");
  command->add_option("--container", options->container,
                      "The job's own container in the pods (default: by the pod's owner, else the "
                      "first)");
  command->add_option("--retries", options->retries, "How often the replica was retried already")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--config", options->configuration, "Configuration file");
  command->footer(
      "Examples:\n"
      "  tfjob-webhook classify 139\n"
      "  tfjob-webhook classify 137 --reason OOMKilled\n"
      "  tfjob-webhook classify SIGABRT --profile signals\n"
      "  tfjob-webhook classify -- -1\n"
      "  kubectl get pod mnist-worker-0 -o json | tfjob-webhook classify -\n"
      "\n"
      "Exit status: 0 whatever the verdict, 2 usage, 3 configuration or pods unreadable.");
  command->callback([options, &action] { action = [options] { return classify(*options); }; });
}

}  // namespace cli
