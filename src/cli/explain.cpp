#include <iostream>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/job_title.h"
#include "cli/one_of.h"
#include "cli/operator_option.h"
#include "explain/formats.h"
#include "jobs/check.h"
#include "operators/operator.h"
#include "sources/files.h"
#include "sources/source.h"
#include "sources/subject_reader.h"

namespace cli {
namespace {

struct ExplainOptions {
  std::string file;
  std::string configuration;
  std::string operator_version;
  std::string output = "text";
};

bool denies(const jobs::Findings& findings) {
  for (const jobs::Finding& finding : findings) {
    if (finding.severity == jobs::Severity::denied) return true;
  }
  return false;
}

class ExplainRun {
 public:
  ExplainRun(const ExplainOptions& options, const admission::Settings& settings)
      : file_(options.file == "-" ? "<stdin>" : options.file),
        as_json_(options.output == "json"),
        settings_(settings) {}

  int explain(const sources::Source& source) {
    for (const sources::Error& error : source.errors) {
      status_ = ExitStatus::unreadable;
      std::cerr << "tfjob-webhook: " << file_ << ":" << error.at.mark.line << ":"
                << error.at.mark.column << ": " << error.message << '\n';
    }
    for (const sources::Job& job : source.jobs) explain(job);
    if (as_json_) {
      std::cout << all_.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    }
    if (source.jobs.empty() && source.errors.empty()) {
      std::cerr << "tfjob-webhook: " << file_ << ": has no job of a kind that is checked\n";
      return ExitStatus::unreadable;
    }
    return status_;
  }

 private:
  void explain(const sources::Job& job) {
    const exit_codes::Table& fallback = *admission::settings_for(settings_, job.name_space).profile;
    const jobs::Subject* const subject = reader_.read(job, settings_.profiles, fallback);
    const std::string title = job_title(file_, job);
    if (subject == nullptr) {
      std::cerr << "tfjob-webhook: " << title << ": " << job.api_version << " is not checked\n";
      return;
    }
    const bool denied = denies(jobs::check(*subject));
    if (denied) {
      if (status_ == ExitStatus::ok) status_ = ExitStatus::denied;
      std::cerr << "tfjob-webhook: " << title
                << ": would be denied: 'tfjob-webhook lint' tells why\n";
    }
    const std::string version = job.api_version.substr(job.api_version.find('/') + 1);
    // Settings hold names that are known only.
    const operators::Operator& which = **operators::find_operator(settings_.operator_version);
    const explain::Explanation explanation = explain::explain(*subject, version, which);
    if (!as_json_) {
      std::cout << (first_ ? "" : "\n") << explain::to_text(explanation, title);
      first_ = false;
      return;
    }
    nlohmann::ordered_json object = {{"file", file_},
                                     {"line", job.node.mark().line},
                                     {"namespace", job.name_space},
                                     {"name", job.name},
                                     {"denied", denied}};
    object.update(explain::to_json(explanation));
    all_.push_back(std::move(object));
  }

  std::string file_;
  bool as_json_;
  const admission::Settings& settings_;
  sources::SubjectReader reader_;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
  int status_ = ExitStatus::ok;
  bool first_ = true;
};

int explain_file(const ExplainOptions& options) {
  const auto settings = load_settings(options.configuration, options.operator_version);
  if (!settings) return ExitStatus::unreadable;
  const auto text = sources::read_file(options.file);
  if (!text) {
    std::cerr << "tfjob-webhook: " << options.file << ": " << text.error() << '\n';
    return ExitStatus::unreadable;
  }
  return ExplainRun(options, *settings).explain(sources::read_source(*text));
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain",
      "Tell what becomes of each end of a job's pods: by its table, and by its operator.");
  command->add_option("FILE", options->file, "Manifest; - is standard input")->required();
  add_operator_option(*command, options->operator_version);
  command->add_option("--config", options->configuration,
                      "Configuration file: its profiles, namespaces and operator");
  command->add_option("--output", options->output, "How it is written")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  tfjob-webhook explain job.yaml\n"
      "  tfjob-webhook explain --operator tf-operator/1.4 job.yaml\n"
      "  kubectl get tfjob mnist -o yaml | tfjob-webhook explain -\n"
      "\n"
      "Exit status: 0, 1 a job would be denied, 2 usage, 3 something that cannot be read.");
  command->callback([options, &action] { action = [options] { return explain_file(*options); }; });
}

}  // namespace cli
