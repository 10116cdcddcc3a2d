#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/patch.h"
#include "annotate/answer.h"
#include "annotate/edit.h"
#include "annotate/unified_diff.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/job_title.h"
#include "cli/one_of.h"
#include "cli/settings.h"
#include "sources/files.h"
#include "sources/source.h"

namespace cli {
namespace {

struct AnnotateOptions {
  std::vector<std::string> files;
  std::string configuration;
  std::string output = "diff";
};

/// Whether a job is an object of its own for kubectl: a document, or an item of a List.
bool is_submitted(const sources::Job& job) {
  std::string_view path = job.path;
  while (path.starts_with("items[")) {
    path.remove_prefix(path.find(']') + 1);
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return path.empty();
}

class AnnotateRun {
 public:
  AnnotateRun(const AnnotateOptions& options, const admission::Settings& settings)
      : output_(options.output), settings_(settings) {}

  int annotate(const std::vector<std::string>& arguments) {
    const sources::Files files = sources::find_files(arguments);
    for (const auto& [path, message] : files.errors) fail(path, message);
    if (output_ == "kustomize") std::cout << "patches:\n";
    for (const std::string& path : files.paths) {
      const auto text = sources::read_file(path);
      const std::string name = path == "-" ? "<stdin>" : path;
      if (text) {
        annotate_file(name, *text);
      } else {
        fail(name, text.error());
      }
    }
    std::cout << std::flush;
    if (output_ == "diff" && changed_) {
      std::cerr << "tfjob-webhook: tables are the webhook's to write: keep profile, retryable, "
                   "permanent and max-retries in Git, not tables\n";
    }
    return status_;
  }

 private:
  void tell(std::string_view where, std::string_view message) {
    std::cerr << "tfjob-webhook: " << where << ": " << message << '\n';
  }

  void fail(std::string_view where, std::string_view message) {
    status_ = ExitStatus::unreadable;
    tell(where, message);
  }

  void annotate_file(const std::string& name, const std::string& text) {
    const sources::Source source = sources::read_source(text);
    for (const sources::Error& error : source.errors) {
      fail(name + ":" + std::to_string(error.at.mark.line) + ":" +
               std::to_string(error.at.mark.column),
           error.message);
    }
    std::vector<annotate::Change> changes;
    for (const sources::Job& job : source.jobs) {
      const std::optional<annotate::Answer> answer = ask(name, job);
      if (!answer) continue;
      if (output_ == "diff") {
        std::ranges::move(annotate::changes_of(job, answer->patch), std::back_inserter(changes));
      } else {
        print(name, job, *answer);
      }
    }
    if (changes.empty()) return;
    const auto edits = annotate::make_edits(text, changes);
    if (!edits) {
      fail(name,
           "no diff of this file can be shown (" + edits.error() + "): use --output json-patch");
      return;
    }
    changed_ = true;
    std::cout << annotate::unified_diff(name, text, *edits);
  }

  /// What the webhook says of a job; nothing where it is not asked, or denies.
  std::optional<annotate::Answer> ask(const std::string& name, const sources::Job& job) {
    const std::string title = job_title(name, job);
    if (job.kind == nullptr) {
      tell(title, job.api_version + " is not checked, and gets no table");
      return std::nullopt;
    }
    if (job.json.empty()) return std::nullopt;
    if (!is_submitted(job)) {
      tell(title, "is part of another object, and gets its table when it is created itself");
      return std::nullopt;
    }
    annotate::Answer answer = annotate::ask(job, settings_);
    if (!answer.denied) return answer;
    if (status_ == ExitStatus::ok) status_ = ExitStatus::denied;
    for (const jobs::Finding& finding : answer.findings) {
      if (finding.severity != jobs::Severity::denied) continue;
      tell(title, "is denied: " + finding.field + ": " + finding.message);
    }
    return std::nullopt;
  }

  void print(const std::string& name, const sources::Job& job, const annotate::Answer& answer) {
    if (output_ == "json-patch") {
      std::cout << admission::to_json(answer.patch) << '\n';
    } else if (answer.patch.empty()) {
      return;
    } else if (job.name.empty() || job.node.find("metadata")->find("name") == nullptr) {
      tell(job_title(name, job), "has no name that a kustomization could patch it by");
    } else {
      std::cout << annotate::to_kustomize(job, answer.patch);
    }
  }

  std::string output_;
  const admission::Settings& settings_;
  int status_ = ExitStatus::ok;
  bool changed_ = false;
};

int annotate_files(const AnnotateOptions& options) {
  const auto settings = load_settings(options.configuration);
  if (!settings) return ExitStatus::unreadable;
  return AnnotateRun(options, *settings).annotate(options.files);
}

}  // namespace

void add_annotate(CLI::App& app, Action& action) {
  auto options = std::make_shared<AnnotateOptions>();
  CLI::App* command = app.add_subcommand(
      "annotate", "Show what the webhook would write into the jobs of manifests; edits no file.");
  command
      ->add_option("FILES", options->files,
                   "Files, folders (all *.yaml, *.yml and *.json below), patterns; - is standard "
                   "input")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--output", options->output,
                   "A unified diff, a JSON Patch for each job (a line each), or the patches of a "
                   "kustomization")
      ->check(one_of({"diff", "json-patch", "kustomize"}))
      ->capture_default_str();
  command->add_option("--config", options->configuration,
                      "Configuration file: its profiles and namespaces");
  command->footer(
      "Manifests in Git carry inputs (profile, retryable, permanent, max-retries), never tables:\n"
      "written there, a table has a second owner, and a change of the inputs contradicts it.\n"
      "\n"
      "Examples:\n"
      "  tfjob-webhook annotate job.yaml\n"
      "  tfjob-webhook annotate --output json-patch job.yaml\n"
      "  tfjob-webhook annotate --output kustomize --config config.yaml jobs/\n"
      "\n"
      "Exit status: 0, 1 a job would be denied, 2 usage, 3 something that cannot be read.");
  command->callback(
      [options, &action] { action = [options] { return annotate_files(*options); }; });
}

}  // namespace cli
