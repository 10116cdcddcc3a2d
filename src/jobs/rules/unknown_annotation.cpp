#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "exit_codes/annotation.h"
#include "exit_codes/nearest.h"
#include "jobs/rules/rules.h"

namespace jobs::rules {
namespace {

constexpr std::array<std::string_view, 4> kInputs{
    exit_codes::kProfileAnnotation, exit_codes::kRetryableAnnotation,
    exit_codes::kPermanentAnnotation, exit_codes::kMaxRetriesAnnotation};

/// "retryable" of "exit-codes.kubeflow.org/retryable".
std::string_view name_of(std::string_view key) {
  key.remove_prefix(exit_codes::kAnnotationPrefix.size());
  return key;
}

std::string message(std::string_view key) {
  std::array<std::string_view, kInputs.size()> names;
  std::ranges::transform(kInputs, names.begin(), name_of);
  const std::string_view near = exit_codes::nearest(name_of(key), names);
  if (near.empty()) return "does nothing: profile, retryable, permanent and max-retries exist";
  return "does nothing: did you mean " + std::string(near) + "?";
}

/// `written`: what others than users write there.
void report(const Annotations& annotations, const std::string& metadata,
            std::span<const std::string_view> written, Findings& findings) {
  const auto has = [](std::span<const std::string_view> keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  for (const Annotation& annotation : annotations.ours) {
    if (has(kInputs, annotation.key) || has(written, annotation.key)) continue;
    findings.push_back({.rule = "unknown-annotation",
                        .severity = Severity::warned,
                        .field = annotation_path(metadata, annotation.key),
                        .value = std::string(annotation.key),
                        .message = message(annotation.key)});
  }
}

}  // namespace

void unknown_annotation(const Subject& subject, Findings& findings) {
  static constexpr std::array kOfJobs{exit_codes::kTableAnnotation, exit_codes::kRetriesAnnotation};
  static constexpr std::array kOfTemplates{exit_codes::kTableAnnotation};
  report(subject.job->annotations, "metadata", kOfJobs, findings);
  for (const SubjectReplica& replica : subject.replicas) {
    const Annotations& annotations = replica.replica->pod_template.annotations;
    if (annotations.ours.empty()) continue;
    report(annotations, subject.path(replica) + ".template.metadata", kOfTemplates, findings);
  }
}

}  // namespace jobs::rules
