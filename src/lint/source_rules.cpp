#include "lint/source_rules.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "exit_codes/annotation.h"
#include "jobs/kind.h"
#include "jobs/text.h"
#include "yaml/scalar.h"

namespace lint {
namespace {

/// Of several entries with one key, one of which a merge key may bring, the last.
std::vector<std::reference_wrapper<const yaml::Entry>> effective_entries(const yaml::Node& node) {
  std::vector<std::reference_wrapper<const yaml::Entry>> entries;
  std::unordered_set<std::string_view> seen;
  for (const yaml::Entry& entry : std::views::reverse(node.entries())) {
    if (seen.insert(entry.name).second) entries.emplace_back(entry);
  }
  std::ranges::reverse(entries);
  return entries;
}

/// What `value` is, for messages, and whether quotes make a string of it; empty for a string.
struct NoString {
  std::string_view what;
  bool quotable = false;
  bool null = false;
};

NoString look_at(const yaml::Node& value) {
  if (value.is_sequence()) return {.what = "a list"};
  if (value.is_mapping()) return {.what = "a mapping"};
  const auto scalar = yaml::resolve(value);
  if (!scalar || std::holds_alternative<std::string>(*scalar)) return {};
  if (std::holds_alternative<std::monostate>(*scalar)) return {.what = "null", .null = true};
  if (std::holds_alternative<bool>(*scalar)) return {.what = "a boolean", .quotable = true};
  return {.what = "a number", .quotable = true};
}

/// The message for a value of that shape; `harm` is what happens otherwise. What becomes of null
/// was tried on Kubernetes 1.36: kubectl makes an empty string of it or leaves it out, server-side
/// apply of a template refuses it.
std::string message(const yaml::Node& value, const NoString& shape, std::string_view harm) {
  if (shape.null) {
    return "must be a string, not null: write \"\" or remove it, for some clients take it and "
           "others refuse it";
  }
  const std::string mend = shape.quotable ? "write \"" + std::string(value.text()) + "\" in quotes"
                                          : "write it as one string";
  return "must be a string, not " + std::string(shape.what) + ": " + mend + ", or " +
         std::string(harm);
}

/// Looks at `metadata.annotations` of `owner`, which stands at `path` (with a dot behind it, or
/// empty).
void check_annotations(const yaml::Node& owner, const std::string& path, std::string_view harm,
                       jobs::Findings& findings) {
  const yaml::Node* const metadata = owner.find("metadata");
  const yaml::Node* const annotations =
      metadata == nullptr ? nullptr : metadata->find("annotations");
  if (annotations == nullptr) return;
  for (const yaml::Entry& entry : effective_entries(*annotations)) {
    const NoString shape = look_at(entry.value);
    if (shape.what.empty()) continue;
    findings.push_back({.rule = "annotation-not-string",
                        .severity = shape.null ? jobs::Severity::warned : jobs::Severity::denied,
                        .field = jobs::annotation_path(path + "metadata", entry.name),
                        .value = std::string(entry.value.text()),
                        .message = message(entry.value, shape, harm)});
  }
}

/// Looks at the template of the replica `node`, which stands at `path`.
void check_replica(const yaml::Node& node, const std::string& path, jobs::Findings& findings) {
  const yaml::Node* const pod_template = node.find("template");
  if (pod_template == nullptr) return;
  check_annotations(*pod_template, path + ".template.",
                    "the API server or the operator refuses the job", findings);
}

void check_table(const jobs::Annotations& annotations, const std::string& metadata,
                 jobs::Findings& findings) {
  const jobs::Scalar table = annotations.find(exit_codes::kTableAnnotation);
  if (table.shape == jobs::Shape::absent) return;
  findings.push_back(
      {.rule = "table-in-source",
       .severity = jobs::Severity::warned,
       .field = jobs::annotation_path(metadata, exit_codes::kTableAnnotation),
       .value = std::string(table.text),
       .message = "is the webhook's to write, which replaces what a manifest has: remove it, and "
                  "say what differs by profile, retryable, permanent or max-retries"});
}

}  // namespace

void annotation_not_string(const sources::Job& source, const jobs::Subject& subject,
                           jobs::Findings& findings) {
  check_annotations(source.node, "",
                    "kubectl refuses the job (older ones drop all its annotations in silence)",
                    findings);
  const yaml::Node* const spec = source.node.find("spec");
  const yaml::Node* const specs = spec == nullptr ? nullptr : spec->find(subject.kind->specs_field);
  if (specs == nullptr) return;
  for (std::size_t index = 0; index < specs->items().size(); ++index) {
    check_replica(specs->items()[index], subject.specs_path() + "[" + std::to_string(index) + "]",
                  findings);
  }
  for (const yaml::Entry& entry : effective_entries(*specs)) {
    check_replica(entry.value, subject.specs_path() + "[" + jobs::path_key(entry.name) + "]",
                  findings);
  }
}

void table_in_source(const jobs::Subject& subject, jobs::Findings& findings) {
  check_table(subject.job->annotations, "metadata", findings);
  for (const jobs::SubjectReplica& replica : subject.replicas) {
    const jobs::Annotations& annotations = replica.replica->pod_template.annotations;
    if (annotations.ours.empty()) continue;
    check_table(annotations, subject.path(replica) + ".template.metadata", findings);
  }
}

jobs::Finding unchecked_version(const sources::Job& source) {
  std::vector<std::string_view> versions;
  for (const jobs::Kind& kind : jobs::kinds()) {
    if (kind.name != source.kind_name) continue;
    versions.insert(versions.end(), kind.versions.begin(), kind.versions.end());
  }
  return {.rule = "unchecked-version",
          .severity = jobs::Severity::warned,
          .field = "apiVersion",
          .value = source.api_version,
          .message = source.kind_name + " of " + jobs::quoted(source.api_version) +
                     " is not checked: the versions that are checked are " +
                     jobs::joined(versions)};
}

}  // namespace lint
