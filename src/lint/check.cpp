#include "lint/check.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exit_codes/annotation.h"
#include "jobs/check.h"
#include "jobs/subject.h"
#include "lint/list_item.h"
#include "lint/rules.h"
#include "lint/source_rules.h"
#include "operators/finding.h"
#include "operators/operator.h"
#include "sources/place.h"
#include "sources/source.h"
#include "sources/subject_reader.h"
#include "sources/unrendered.h"

namespace lint {
namespace {

/// How many findings of one job are told: a job can be as long as its writer likes.
constexpr std::size_t kMaxFindings = 200;

/// The largest request that the API server takes.
constexpr std::size_t kMaxJobSize = std::size_t{3} << 20U;

jobs::Finding too_large() {
  return {.rule = "job-too-large",
          .severity = jobs::Severity::denied,
          .field = "object",
          .value = {},
          .message = "is larger than the 3 MiB that the API server takes, and is not checked"};
}

/// Whether a rule is about the key of its field rather than about what stands there.
bool is_about_key(const jobs::Finding& finding) {
  return finding.rule == "duplicate-replica-type" || finding.rule == "unknown-annotation" ||
         finding.rule == "exit-code-container-missing" ||
         (finding.rule == "unknown-replica-type" && finding.field.ends_with(']'));
}

bool is_code_list(std::string_view field) {
  return field.ends_with("[" + std::string(exit_codes::kRetryableAnnotation) + "]") ||
         field.ends_with("[" + std::string(exit_codes::kPermanentAnnotation) + "]");
}

/// Checks the jobs of one file.
class Checker {
 public:
  Checker(std::string_view text, const admission::Settings& settings)
      : text_(text), settings_(settings) {
    if (const auto found = operators::find_operator(settings.operator_version)) operator_ = *found;
  }

  void check(const sources::Job& job) {
    ++report_.jobs;
    jobs::Findings findings;
    if (job.kind == nullptr) {
      findings.push_back(unchecked_version(job));
    } else {
      findings = judge(job);
    }
    repeats_.clear();
    const std::size_t told = std::min(findings.size(), kMaxFindings);
    for (std::size_t i = 0; i < told; ++i) add(job, std::move(findings[i]));
    if (told < findings.size() && !report_.findings.empty()) {
      report_.findings.back().message += " (and " + std::to_string(findings.size() - told) +
                                         " more findings in this job, which are not told)";
    }
  }

  void add(const sources::Error& error) {
    report_.unreadable = true;
    report_.findings.push_back({.rule = error.rule,
                                .severity = Severity::error,
                                .at = error.at,
                                .field = {},
                                .message = error.message,
                                .alias = {}});
  }

  void add(const sources::Note& note) {
    report_.findings.push_back({.rule = "job-in-string",
                                .severity = Severity::note,
                                .at = note.at,
                                .field = {},
                                .message = note.message,
                                .alias = {}});
  }

  Report take() && {
    const bool told = std::ranges::find(report_.findings, std::string_view("unrendered-template"),
                                        &Finding::rule) != report_.findings.end();
    if (unrendered_ && !told) {
      add(sources::Error{"unrendered-template", *unrendered_, sources::kRenderFirst});
    }
    std::ranges::stable_sort(report_.findings, {},
                             [](const Finding& finding) { return finding.at->mark; });
    return std::move(report_);
  }

 private:
  /// All that is wrong with a job.
  jobs::Findings judge(const sources::Job& source) {
    if (source.json.size() > kMaxJobSize) return {too_large()};
    const exit_codes::Table* const fallback =
        admission::settings_for(settings_, source.name_space).profile;
    const jobs::Subject* const read = reader_.read(source, settings_.profiles, *fallback);
    if (read == nullptr) return {};
    const jobs::Subject& subject = *read;
    jobs::Findings findings;
    annotation_not_string(source, subject, findings);
    // One finding is enough for one of our annotations that is no string: the graver one.
    std::set<std::string, std::less<>> denied;
    for (const jobs::Finding& finding : findings) {
      if (finding.severity == jobs::Severity::denied) denied.insert(finding.field);
    }
    std::set<std::string, std::less<>> judged;
    for (jobs::Finding& finding : jobs::check(subject)) {
      if (finding.rule == "invalid-exit-codes") {
        if (denied.contains(finding.field)) continue;
        judged.insert(finding.field);
      }
      findings.push_back(std::move(finding));
    }
    std::erase_if(findings, [&](const jobs::Finding& finding) {
      return finding.rule == "annotation-not-string" && judged.contains(finding.field);
    });
    table_in_source(subject, findings);
    // What the table will be is known of a sound job only.
    const bool sound = std::ranges::none_of(findings, [](const jobs::Finding& finding) {
      return finding.severity == jobs::Severity::denied;
    });
    const std::string_view version =
        std::string_view(source.api_version).substr(source.api_version.find('/') + 1);
    const bool served =
        operator_ != nullptr && operator_->find_service(source.kind_name, version) != nullptr;
    if (sound && served) {
      std::ranges::move(operators::operator_disagrees(subject, *operator_),
                        std::back_inserter(findings));
    }
    return findings;
  }

  void add(const sources::Job& job, jobs::Finding finding) {
    const sources::Place place = is_about_key(finding) ? sources::find_key_place(job, finding.field)
                                                       : sources::find_place(job, finding.field);
    if (sources::has_action(finding.value)) {
      // One for the file, not one for each pair of braces.
      if (!unrendered_ || place.at.mark < unrendered_->mark) unrendered_ = place.at;
      return;
    }
    const bool item = finding.rule == "invalid-exit-codes" && is_code_list(finding.field);
    std::string path = job.path;
    if (!path.empty()) path += '.';
    report_.findings.push_back({.rule = finding.rule,
                                .severity = finding.severity == jobs::Severity::denied
                                                ? Severity::error
                                                : Severity::warning,
                                .at = item ? item_place(place, finding) : place.at,
                                .field = path + finding.field,
                                .message = std::move(finding.message),
                                .alias = place.alias});
  }

  /// The place of the very item of a list that `finding` is about, if it can be told.
  yaml::Place item_place(const sources::Place& place, const jobs::Finding& finding) {
    if (!place.value || place.is_key || place.value->is_alias()) return place.at;
    const std::string_view list = place.value->text();
    const std::size_t repeat = repeats_[{finding.field, finding.message}]++;
    const std::optional<Part> part = find_item(list, finding.message, repeat);
    // The list as it is written, if nothing in it is escaped or folded.
    std::string_view written = text_.substr(place.at.begin, place.at.end - place.at.begin);
    const bool quoted = place.value->style() == yaml::Style::single_quoted ||
                        place.value->style() == yaml::Style::double_quoted;
    if (quoted && !written.empty()) written.remove_suffix(1);
    if (!part || !written.ends_with(list)) return place.at;

    const std::string_view before = written.substr(0, written.size() - list.size() + part->begin);
    yaml::Place item = place.at;
    item.begin += before.size();
    item.end = item.begin + part->size;
    // It is on one line, and a list with an error may have any characters.
    item.mark.column += static_cast<std::size_t>(std::ranges::count_if(
        before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    return item;
  }

  std::string_view text_;
  const admission::Settings& settings_;
  const operators::Operator* operator_ = nullptr;
  sources::SubjectReader reader_;
  Report report_;
  std::optional<yaml::Place> unrendered_;  ///< the first place where a template stands
  std::map<std::pair<std::string, std::string>, std::size_t> repeats_;
};

}  // namespace

Report check(std::string_view text, const admission::Settings& settings) {
  const sources::Source source = sources::read_source(text);
  Checker checker(text, settings);
  for (const sources::Error& error : source.errors) checker.add(error);
  for (const sources::Note& note : source.notes) checker.add(note);
  for (const sources::Job& job : source.jobs) checker.check(job);
  return std::move(checker).take();
}

Report unreadable(std::string message) {
  Report report;
  report.unreadable = true;
  report.findings.push_back({.rule = "unreadable-file",
                             .severity = Severity::error,
                             .at = {},
                             .field = {},
                             .message = std::move(message),
                             .alias = {}});
  return report;
}

}  // namespace lint
