#include <string>
#include <string_view>

#include "jobs/rules/rules.h"

namespace jobs::rules {
namespace {

/// Appends the findings of this rule.
class Reporter {
 public:
  explicit Reporter(Findings& findings) : findings_(findings) {}

  void add(std::string field, Shape shape, std::string message) {
    findings_.push_back({.rule = "malformed-job",
                         .severity = Severity::denied,
                         .field = std::move(field),
                         .value = std::string(describe(shape)),
                         .message = std::move(message)});
  }

  /// Reports what is there but not of the shape `wanted`; says whether it is of that shape.
  bool expect(Shape wanted, Shape shape, std::string field) {
    if (shape == wanted) return true;
    if (!is_missing(shape)) {
      add(std::move(field), shape,
          "must be " + std::string(describe(wanted)) + ", not " + std::string(describe(shape)));
    }
    return false;
  }

 private:
  Findings& findings_;
};

void check_template(const Subject& subject, const SubjectReplica& replica, Reporter& report) {
  const PodTemplate& pod_template = replica.replica->pod_template;
  const std::string path = subject.path(replica) + ".template";
  if (is_missing(pod_template.shape)) {
    // The operator of v1alpha1 makes a parameter server's template itself.
    if (subject.kind->layout == Layout::list && replica.canonical_type() == "PS") return;
    report.add(path, pod_template.shape,
               "is missing: give the replica a pod template with its containers");
    return;
  }
  if (!report.expect(Shape::object, pod_template.shape, path)) return;
  if (report.expect(Shape::object, pod_template.metadata, path + ".metadata")) {
    report.expect(Shape::object, pod_template.annotations.shape, path + ".metadata.annotations");
  }
  if (report.expect(Shape::object, pod_template.spec, path + ".spec")) {
    report.expect(Shape::array, pod_template.containers, path + ".spec.containers");
  }
}

void check_replica(const Subject& subject, const SubjectReplica& replica, Reporter& report) {
  const Shape shape = replica.replica->shape;
  if (is_missing(shape)) {
    report.add(subject.path(replica), shape,
               "is null: give the replica a pod template, or remove it");
    return;
  }
  if (!report.expect(Shape::object, shape, subject.path(replica))) return;
  if (!is_missing(replica.replica->type.shape)) {
    report.expect(Shape::string, replica.replica->type.shape,
                  subject.path(replica) + ".tfReplicaType");
  }
  check_template(subject, replica, report);
}

}  // namespace

void malformed_job(const Subject& subject, Findings& findings) {
  Reporter report(findings);
  const Job& job = *subject.job;
  if (report.expect(Shape::object, job.metadata, "metadata")) {
    report.expect(Shape::object, job.annotations.shape, "metadata.annotations");
  }

  const std::string need = "is missing: " + std::string(subject.kind->name) + " needs " +
                           subject.specs_path() + " with at least one replica";
  if (is_missing(job.spec)) report.add("spec", job.spec, need);
  if (!report.expect(Shape::object, job.spec, "spec")) return;
  report.expect(Shape::object, job.run_policy, "spec.runPolicy");

  const Shape container = subject.kind->layout == Layout::list ? Shape::array : Shape::object;
  if (is_missing(subject.specs)) {
    report.add(subject.specs_path(), subject.specs, need);
    return;
  }
  if (!report.expect(container, subject.specs, subject.specs_path())) return;
  if (subject.replicas.empty()) {
    report.add(subject.specs_path(), subject.specs, "is empty: give the job at least one replica");
  }
  for (const SubjectReplica& replica : subject.replicas) check_replica(subject, replica, report);
}

}  // namespace jobs::rules
