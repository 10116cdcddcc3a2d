#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/settings.h"
#include "exit_codes/annotation.h"
#include "exit_codes/table.h"

namespace cli {
namespace {

struct ProfilesOptions {
  std::string configuration;
  bool as_annotations = false;
};

/// "1-127 255": runs of three and more as ranges.
std::string compact(const exit_codes::CodeSet& codes) {
  const std::vector<int> values = codes.values();
  std::string out;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t last = i;
    while (last + 1 < values.size() && values[last + 1] == values[last] + 1) ++last;
    if (last - i < 2) last = i;
    if (!out.empty()) out += ' ';
    out += std::to_string(values[i]);
    if (last > i) out += "-" + std::to_string(values[last]);
    i = last + 1;
  }
  return out.empty() ? "none" : out;
}

void print(const exit_codes::Table& table, bool is_default) {
  std::cout << table.profile << (is_default ? " (default)" : "") << '\n'
            << "  permanent    " << compact(table.permanent) << '\n'
            << "  retryable    " << compact(table.retryable) << '\n'
            << "  undefined    every other code: handled as "
            << exit_codes::to_string(table.undefined) << '\n';
  for (const auto& [reason, verdict] : table.reasons) {
    std::cout << "  reason       " << reason
              << (reason == exit_codes::kOomKilled ? " with 137" : "") << ": "
              << exit_codes::to_string(verdict) << '\n';
  }
  std::cout << "  disruption   " << exit_codes::to_string(table.disruption) << '\n'
            << "  no exit code " << exit_codes::to_string(table.no_exit_code) << '\n';
  if (table.max_retries) std::cout << "  max retries  " << *table.max_retries << '\n';
}

int profiles(const ProfilesOptions& options) {
  const auto settings = load_settings(options.configuration);
  if (!settings) return ExitStatus::unreadable;
  bool first = true;
  for (const exit_codes::Table& table : settings->profiles.all()) {
    if (options.as_annotations) {
      std::cout << exit_codes::encode(table) << '\n';
      continue;
    }
    if (!first) std::cout << '\n';
    first = false;
    print(table, table.profile == settings->profile);
  }
  return ExitStatus::ok;
}

}  // namespace

void add_profiles(CLI::App& app, Action& action) {
  auto options = std::make_shared<ProfilesOptions>();
  CLI::App* command = app.add_subcommand(
      "profiles", "List the profiles: which codes each retries, and which end the job.");
  command->add_option("--config", options->configuration,
                      "Configuration file, whose profiles are listed too");
  command->add_flag("--annotations", options->as_annotations,
                    "Print each as the value of the table annotation, one a line");
  command->footer(
      "Examples:\n"
      "  tfjob-webhook profiles\n"
      "  tfjob-webhook profiles --config config.yaml\n"
      "\n"
      "Exit status: 0, 2 usage, 3 configuration unreadable.");
  command->callback([options, &action] { action = [options] { return profiles(*options); }; });
}

}  // namespace cli
