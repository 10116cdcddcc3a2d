#include "admission/decide.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "admission/finalizer.h"
#include "admission/patch.h"
#include "admission/tables.h"
#include "admission/warning.h"
#include "jobs/check.h"
#include "jobs/kind.h"
#include "jobs/subject.h"

namespace admission {
namespace {

using jobs::Finding;
using jobs::Findings;
using jobs::Severity;
using jobs::Shape;
using jobs::Subject;

bool same_fault(const Finding& left, const Finding& right) {
  return left.rule == right.rule && left.field == right.field && left.value == right.value;
}

/// Lets what the stored object has already be: its faults become warnings. Says whether any did.
bool ratchet(Findings& findings, const Findings& old_findings) {
  bool any = false;
  for (Finding& finding : findings) {
    if (finding.severity != Severity::denied) continue;
    const bool had = std::ranges::any_of(
        old_findings, [&](const Finding& old) { return same_fault(finding, old); });
    if (!had) continue;
    finding.severity = Severity::warned;
    any = true;
  }
  return any;
}

bool denies(const Findings& findings) {
  return std::ranges::any_of(findings,
                             [](const Finding& f) { return f.severity == Severity::denied; });
}

Outcome outcome_of(const Findings& findings, bool ratcheted, Enforcement enforcement) {
  if (!denies(findings)) return ratcheted ? Outcome::ratcheted : Outcome::allowed;
  switch (enforcement) {
    case Enforcement::deny:
      return Outcome::denied;
    case Enforcement::warn:
      return Outcome::warned;
    case Enforcement::audit:
      return Outcome::audited;
  }
  return Outcome::denied;
}

/// The JSON Pointer of a replica's `template.metadata`.
std::string template_metadata(const jobs::Kind& kind, const jobs::SubjectReplica& replica) {
  const std::string key = kind.layout == jobs::Layout::list ? std::to_string(replica.index)
                                                            : escape_pointer(replica.type);
  return "/spec/" + std::string(kind.specs_field) + "/" + key + "/template/metadata";
}

std::vector<PatchOperation> make_patch(const Subject& subject, const TablePlan& plan,
                                       bool may_hold) {
  std::vector<PatchOperation> patch;
  const auto add = [&](std::optional<PatchOperation> operation) {
    if (operation) patch.push_back(std::move(*operation));
  };
  const jobs::Job& job = *subject.job;
  add(set_table("/metadata", job.metadata, job.annotations, plan.job));
  for (std::size_t i = 0; i < subject.replicas.size(); ++i) {
    const jobs::SubjectReplica& replica = subject.replicas[i];
    const jobs::PodTemplate& pod_template = replica.replica->pod_template;
    if (pod_template.shape != Shape::object) continue;
    const std::string metadata = template_metadata(*subject.kind, replica);
    add(set_table(metadata, pod_template.metadata, pod_template.annotations, plan.replicas[i]));
    // A running job's pods are as it was created: what they are held by changes with its tables.
    if (!plan.anew) continue;
    set_finalizer(metadata, pod_template, may_hold && replica.uses_exit_code(), patch);
  }
  return patch;
}

std::string name_of(const Review& review) {
  if (!review.name.empty()) return std::string(review.name);
  if (!review.object.name.empty()) return std::string(review.object.name);
  return std::string(review.object.generate_name);
}

/// Whether pods of such a job may be held: not those that no enforcer looks at.
bool may_hold(const Review& review, const jobs::Kind& kind, const Settings& settings) {
  return settings.evidence == Evidence::finalizer && kind.reads_codes && review.version == "v1";
}

/// Fills in what only the mutating endpoint does.
void write_tables(const Review& review, const Subject& subject, const Subject* old,
                  Endpoint endpoint, const Settings& settings, Decision& decision) {
  TablePlan plan = plan_tables(subject, old, settings);
  decision.profile = std::move(plan.profile);
  if (endpoint != Endpoint::mutate) return;
  decision.patch = make_patch(subject, plan, may_hold(review, *subject.kind, settings));
  std::ranges::move(plan.findings, std::back_inserter(decision.findings));
}

}  // namespace

std::string_view to_string(Endpoint endpoint) noexcept {
  return endpoint == Endpoint::mutate ? "mutate" : "validate";
}

Decision decide(const Review& review, Endpoint endpoint, const Settings& settings) {
  Decision decision;
  const jobs::Kind* const kind = jobs::find_kind(review.group, review.version, review.kind);
  // An object that is going must be let go: its finalizers are removed by updates.
  if (kind == nullptr || !review.sub_resource.empty() || review.operation == Operation::other ||
      review.object.deleting || review.old_object.deleting) {
    return decision;
  }
  const NamespaceSettings here = settings_for(settings, review.name_space);
  decision.name = name_of(review);

  std::optional<Subject> subject;
  std::optional<Subject> old;
  if (review.object.shape == Shape::object) {
    subject = jobs::make_subject(*kind, review.object, settings.profiles, *here.profile);
    decision.findings = jobs::check(*subject);
  } else {
    decision.findings = {jobs::not_an_object(review.object.shape, kind->name)};
  }

  bool ratcheted = false;
  if (review.operation == Operation::update && review.old_object.shape == Shape::object) {
    old = jobs::make_subject(*kind, review.old_object, settings.profiles, *here.profile);
    if (denies(decision.findings)) ratcheted = ratchet(decision.findings, jobs::check(*old));
  }

  decision.outcome = outcome_of(decision.findings, ratcheted, here.enforcement);
  if (decision.allowed() && subject) {
    write_tables(review, *subject, old ? &*old : nullptr, endpoint, settings, decision);
  }
  if (here.enforcement != Enforcement::audit) {
    for (const Finding& finding : decision.findings) {
      // The findings that deny are in the denial itself.
      const bool told = decision.outcome == Outcome::denied && finding.severity == Severity::denied;
      if (!told) decision.warnings.push_back(warning_line(finding));
    }
  }
  return decision;
}

}  // namespace admission
