#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/one_of.h"
#include "cli/operator_option.h"
#include "cli/progress.h"
#include "lint/check.h"
#include "lint/output.h"
#include "sources/files.h"
#include "webhook/version.h"

namespace cli {
namespace {

struct LintOptions {
  std::vector<std::string> files;
  std::string configuration;
  std::string operator_version;
  std::string output = "text";
};

/// What was found in all files.
struct Totals {
  std::size_t files = 0;
  std::size_t jobs = 0;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t unreadable = 0;  ///< files
};

lint::Format format_of(const std::string& name) {
  if (name == "json") return lint::Format::json;
  if (name == "sarif") return lint::Format::sarif;
  if (name == "github") return lint::Format::github;
  return lint::Format::text;
}

/// https://no-color.org
bool wants_colour() {
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string summary(const Totals& totals) {
  std::string text;
  if (totals.errors > 0) text = counted(totals.errors, "error");
  if (totals.warnings > 0) {
    text += (text.empty() ? "" : ", ") + counted(totals.warnings, "warning");
  }
  if (text.empty()) text = "nothing found";
  text += " in " + counted(totals.jobs, "job") + " of " + counted(totals.files, "file");
  if (totals.unreadable > 0) {
    text += "; " + counted(totals.unreadable, "file") + " cannot be read as meant";
  }
  return text;
}

class LintRun {
 public:
  LintRun(const LintOptions& options, const admission::Settings& settings)
      : settings_(settings),
        format_(format_of(options.output)),
        output_(format_, wants_colour(), webhook::kVersion) {}

  int lint(const std::vector<std::string>& arguments) {
    const sources::Files files = sources::find_files(arguments);
    std::cout << output_.begin();
    for (const auto& [path, message] : files.errors) tell(path, {}, lint::unreadable(message));
    Progress progress(files.paths.size());
    for (const std::string& path : files.paths) {
      progress.update(totals_.files);
      const auto text = sources::read_file(path);
      const lint::Report report =
          text ? lint::check(*text, settings_) : lint::unreadable(text.error());
      if (!report.findings.empty()) progress.clear();
      tell(path == "-" ? "<stdin>" : path, text ? std::string_view(*text) : std::string_view(),
           report);
    }
    progress.clear();
    std::cout << output_.end(totals_.unreadable == 0) << std::flush;
    if (format_ == lint::Format::text) std::cerr << summary(totals_) << '\n';
    if (totals_.unreadable > 0) return ExitStatus::unreadable;
    return totals_.errors > 0 ? ExitStatus::denied : ExitStatus::ok;
  }

 private:
  void tell(std::string_view path, std::string_view text, const lint::Report& report) {
    ++totals_.files;
    totals_.jobs += report.jobs;
    if (report.unreadable) ++totals_.unreadable;
    for (const lint::Finding& finding : report.findings) {
      if (finding.severity == lint::Severity::error) ++totals_.errors;
      if (finding.severity == lint::Severity::warning) ++totals_.warnings;
    }
    if (!report.findings.empty()) std::cout << output_.add(path, text, report) << std::flush;
  }

  const admission::Settings& settings_;
  lint::Format format_;
  lint::Output output_;
  Totals totals_;
};

int lint_files(const LintOptions& options) {
  const auto settings = load_settings(options.configuration, options.operator_version);
  if (!settings) return ExitStatus::unreadable;
  return LintRun(options, *settings).lint(options.files);
}

}  // namespace

void add_lint(CLI::App& app, Action& action) {
  auto options = std::make_shared<LintOptions>();
  CLI::App* command = app.add_subcommand(
      "lint", "Check manifests as the webhook would, and what only a file shows.");
  command
      ->add_option("FILES", options->files,
                   "Files, folders (all *.yaml, *.yml and *.json below), patterns such as "
                   "'jobs/**/*.yaml'; - is standard input")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--output", options->output, "How findings are written")
      ->check(one_of({"text", "json", "sarif", "github"}))
      ->capture_default_str();
  command->add_option("--config", options->configuration,
                      "Configuration file: its profiles and namespaces");
  add_operator_option(*command, options->operator_version);
  command->footer(
      "Examples:\n"
      "  tfjob-webhook lint job.yaml\n"
      "  tfjob-webhook lint --config config.yaml manifests/\n"
      "  helm template chart | tfjob-webhook lint -\n"
      "  tfjob-webhook lint --output sarif 'jobs/**/*.yaml' > lint.sarif\n"
      "\n"
      "Exit status: 0 no errors, 1 something that would be denied, 2 usage, 3 something that\n"
      "cannot be read.");
  command->callback([options, &action] { action = [options] { return lint_files(*options); }; });
}

}  // namespace cli
