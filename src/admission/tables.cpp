#include "admission/tables.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "exit_codes/annotation.h"
#include "exit_codes/table.h"

namespace admission {
namespace {

using exit_codes::CodeSet;
using exit_codes::kTableAnnotation;
using exit_codes::Table;
using jobs::Annotations;
using jobs::Inputs;
using jobs::Scalar;
using jobs::Subject;
using jobs::SubjectReplica;

/// The API server's limit for all annotations of an object, keys and values together.
constexpr std::size_t kMaxAnnotationBytes = std::size_t{256} * 1024;

/// The replica of `job` that `replica` is or was: the one of its type, at its place if several have
/// that type (v1alpha1); null if there is none.
const SubjectReplica* counterpart(const SubjectReplica& replica, const Subject& job) {
  const auto same_type = [&](const SubjectReplica& other) {
    return other.canonical_type() == replica.canonical_type();
  };
  if (replica.index < job.replicas.size() && same_type(job.replicas[replica.index])) {
    return &job.replicas[replica.index];
  }
  const auto found = std::ranges::find_if(job.replicas, same_type);
  return found == job.replicas.end() ? nullptr : &*found;
}

/// Whether anything that tables are made from differs.
bool changed(const Subject& subject, const Subject& old) {
  if (!subject.inputs.same_as(old.inputs)) return true;
  if (subject.replicas.size() != old.replicas.size()) return true;
  const bool lost_one = std::ranges::any_of(old.replicas, [&](const SubjectReplica& replica) {
    return counterpart(replica, subject) == nullptr;
  });
  return lost_one || std::ranges::any_of(subject.replicas, [&](const SubjectReplica& replica) {
           const SubjectReplica* const before = counterpart(replica, old);
           return before == nullptr || before->effective_policy != replica.effective_policy ||
                  !before->inputs.same_as(replica.inputs);
         });
}

bool contains_all(const CodeSet& set, const CodeSet& codes) { return (codes - set).empty(); }

/// Whether `table` lacks something that the user asked for.
bool contradicts(const Table& table, const Inputs& job, const Inputs* replica) {
  const Table* const profile =
      replica != nullptr && replica->profile != nullptr ? replica->profile : job.profile;
  if (profile != nullptr && profile->profile != table.profile) return true;

  Table asked;
  exit_codes::apply(job.overrides, asked);
  if (replica != nullptr) exit_codes::apply(replica->overrides, asked);
  return !contains_all(table.retryable, asked.retryable) ||
         !contains_all(table.permanent, asked.permanent) ||
         (asked.max_retries && asked.max_retries != table.max_retries);
}

/// The stored table at one place, if it can stay.
std::optional<Table> kept(const Scalar& stored, const Inputs& job, const Inputs* replica) {
  if (!stored.is_string()) return std::nullopt;
  auto decoded = exit_codes::decode(stored.text);
  auto* const table = std::get_if<Table>(&decoded);
  if (table == nullptr || contradicts(*table, job, replica)) return std::nullopt;
  return std::move(*table);
}

/// Whether the table annotation would push the annotations over the API server's limit.
bool finds_no_room(const Annotations& annotations, const std::string& table) {
  const Scalar current = annotations.find(kTableAnnotation);
  std::size_t others = annotations.bytes;
  if (current.shape != jobs::Shape::absent) others -= kTableAnnotation.size() + current.text.size();
  return others + kTableAnnotation.size() + table.size() > kMaxAnnotationBytes;
}

/// One place where a table can stand: what is there now, and what is stored.
struct Place {
  const Subject* subject = nullptr;
  const SubjectReplica* replica = nullptr;  ///< null: the job's own metadata
  const Annotations* annotations = nullptr;
  Scalar stored;
  bool is_update = false;
};

std::string metadata_path(const Place& place) {
  if (place.replica == nullptr) return "metadata";
  return place.subject->path(*place.replica) + ".template.metadata";
}

void warn(const Place& place, std::string_view rule, std::string message,
          jobs::Findings& findings) {
  findings.push_back({.rule = rule,
                      .severity = jobs::Severity::warned,
                      .field = jobs::annotation_path(metadata_path(place), kTableAnnotation),
                      .value = {},
                      .message = std::move(message)});
}

/// Settles `wanted` against the size limit, and tells of what a user's edit loses.
std::optional<WantedTable> settle(const Place& place, std::optional<WantedTable> wanted,
                                  jobs::Findings& findings) {
  if (wanted && finds_no_room(*place.annotations, wanted->value)) {
    warn(place, "table-left-out", "with it annotations would exceed 262144 bytes: shorten them",
         findings);
    return std::nullopt;
  }
  const Scalar current = place.annotations->find(kTableAnnotation);
  const bool edited =
      current.shape != jobs::Shape::absent &&
      !(place.stored.is_string() && current.is_string() && current.text == place.stored.text);
  const bool as_wanted = wanted && current.is_string() && current.text == wanted->value;
  // A copy or a restore (CREATE) may hold any table; a mere removal is nobody's edit (Kueue).
  if (place.is_update && edited && !as_wanted) {
    warn(place, "table-edited",
         wanted ? "the edit is undone: set profile, retryable or permanent instead"
                : "is removed: only replicas under ExitCode have a table",
         findings);
  }
  return wanted;
}

/// v1alpha1 operators take the policy from the template, so every template carries the table.
bool wants_table(const Subject& subject, const SubjectReplica& replica) {
  return replica.replica->pod_template.shape == jobs::Shape::object &&
         (subject.kind->layout == jobs::Layout::list || replica.uses_exit_code());
}

/// The profile that a table is made from: the replica's, else the job's, else the namespace's.
const Table& named_profile(const Subject& subject, const SubjectReplica* replica) {
  if (replica != nullptr && replica->inputs.profile != nullptr) return *replica->inputs.profile;
  return subject.inputs.profile != nullptr ? *subject.inputs.profile : *subject.fallback;
}

/// The table that the inputs give now, of a replica or (null) of the job.
WantedTable new_table(const Subject& subject, const SubjectReplica* replica,
                      const Settings& settings) {
  const bool as_profile =
      subject.inputs.overrides == exit_codes::Overrides{} &&
      (replica == nullptr || replica->inputs.overrides == exit_codes::Overrides{});
  if (!as_profile) {
    return {exit_codes::encode(replica == nullptr ? subject.table() : subject.table(*replica))};
  }
  const Table& profile = named_profile(subject, replica);
  const auto index = static_cast<std::size_t>(&profile - settings.profiles.all().data());
  const RenderedTable& rendered = settings.rendered.at(index);
  return {rendered.value, &rendered};
}

}  // namespace

TablePlan plan_tables(const Subject& subject, const Subject* old, const Settings& settings) {
  TablePlan plan;
  const bool is_update = old != nullptr;
  const bool anew = plan.anew = !is_update || changed(subject, *old);
  const auto stored_in = [](const Annotations& annotations) {
    return annotations.find(kTableAnnotation);
  };

  const Scalar stored = is_update ? stored_in(old->job->annotations) : Scalar{};
  const std::optional<Table> stays = anew ? std::nullopt : kept(stored, subject.inputs, nullptr);
  plan.profile = stays ? stays->profile : named_profile(subject, nullptr).profile;
  plan.job =
      settle({&subject, nullptr, &subject.job->annotations, stored, is_update},
             stays ? WantedTable{std::string(stored.text)} : new_table(subject, nullptr, settings),
             plan.findings);

  plan.replicas.reserve(subject.replicas.size());
  for (const SubjectReplica& replica : subject.replicas) {
    const SubjectReplica* const before = is_update ? counterpart(replica, *old) : nullptr;
    const Scalar was =
        before != nullptr ? stored_in(before->replica->pod_template.annotations) : Scalar{};
    std::optional<WantedTable> wanted;
    if (wants_table(subject, replica)) {
      const bool can_stay = !anew && kept(was, subject.inputs, &replica.inputs);
      wanted =
          can_stay ? WantedTable{std::string(was.text)} : new_table(subject, &replica, settings);
    }
    plan.replicas.push_back(
        settle({&subject, &replica, &replica.replica->pod_template.annotations, was, is_update},
               std::move(wanted), plan.findings));
  }
  return plan;
}

}  // namespace admission
