#include "jobs/subject.h"

#include <utility>

#include "jobs/text.h"

namespace jobs {
namespace {

constexpr std::string_view kV1alpha1DefaultType = "MASTER";

std::optional<std::string_view> effective_policy(const Kind& kind, const ReplicaType* known,
                                                 const Scalar& written) {
  if (written.is_unset()) {
    // An unknown type gets the default that the kind's last type (its workers) has.
    return (known != nullptr ? *known : kind.types.back()).default_policy;
  }
  if (written.is_string() && kind.accepts(written.text)) return written.text;
  return std::nullopt;
}

}  // namespace

std::string Subject::specs_path() const { return "spec." + std::string(kind->specs_field); }

std::string Subject::path(const SubjectReplica& replica) const {
  const std::string key =
      kind->layout == Layout::list ? std::to_string(replica.index) : path_key(replica.type);
  return specs_path() + "[" + key + "]";
}

std::string Subject::policy_path(const SubjectReplica& replica) const {
  return path(replica) +
         (kind->layout == Layout::list ? ".template.spec.restartPolicy" : ".restartPolicy");
}

std::string annotation_path(std::string_view metadata, std::string_view key) {
  return std::string(metadata) + ".annotations[" + path_key(key) + "]";
}

Subject make_subject(const Kind& kind, const Job& job, const exit_codes::Profiles& profiles,
                     const exit_codes::Table& fallback) {
  Subject subject{.kind = &kind,
                  .job = &job,
                  .fallback = &fallback,
                  .specs = Shape::absent,
                  .inputs = read_inputs(job.annotations, profiles),
                  .replicas = {}};
  const ReplicaSpecs* specs = job.find_specs(kind.specs_field);
  if (specs == nullptr) return subject;
  subject.specs = specs->shape;
  // Replicas in the wrong container are no replicas: `malformed-job` tells of it.
  if (specs->shape != (kind.layout == Layout::list ? Shape::array : Shape::object)) return subject;

  subject.replicas.reserve(specs->replicas.size());
  for (std::size_t index = 0; index < specs->replicas.size(); ++index) {
    const Replica& replica = specs->replicas[index];
    const bool unnamed = kind.layout == Layout::list && replica.type.is_unset();
    const std::string_view type = unnamed ? kV1alpha1DefaultType : replica.type.text;
    const ReplicaType* known = kind.find_type(type);
    const Scalar policy =
        kind.layout == Layout::list ? replica.pod_template.restart_policy : replica.restart_policy;
    subject.replicas.push_back({.replica = &replica,
                                .index = index,
                                .type = type,
                                .known = known,
                                .policy = policy,
                                .effective_policy = effective_policy(kind, known, policy),
                                .inputs = read_inputs(replica.pod_template.annotations, profiles)});
  }
  return subject;
}

}  // namespace jobs
