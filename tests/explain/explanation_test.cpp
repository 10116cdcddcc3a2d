#include "explain/explanation.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "exit_codes/profile.h"
#include "explain/formats.h"
#include "sources/source.h"
#include "sources/subject_reader.h"
#include "tests/support/catch.h"

using explain::Explanation;
using operators::End;
using operators::Response;

namespace {

/// The explanation of the only job in `text`.
Explanation explain_text(std::string_view text, std::string_view which = "training-operator/1.9") {
  const sources::Source source = sources::read_source(text);
  REQUIRE(source.jobs.size() == 1);
  const exit_codes::Profiles profiles;
  sources::SubjectReader reader;
  const jobs::Subject* const subject =
      reader.read(source.jobs[0], profiles, *profiles.find("kubeflow"));
  REQUIRE(subject != nullptr);
  const std::string& version = source.jobs[0].api_version;
  return explain::explain(*subject, version.substr(version.find('/') + 1),
                          **operators::find_operator(which));
}

const operators::Comparison& end_with(const explain::Replica& replica, int code) {
  const auto found = std::ranges::find_if(
      replica.ends, [&](const operators::Comparison& end) { return end.codes.contains(code); });
  REQUIRE(found != replica.ends.end());
  return *found;
}

constexpr std::string_view kTfJob = R"(apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: mnist}
spec:
  runPolicy: {backoffLimit: 3}
  tfReplicaSpecs:
    Chief: {template: {spec: {containers: [{name: tensorflow}]}}}
    Worker:
      restartPolicy: ExitCode
      template:
        metadata: {annotations: {exit-codes.kubeflow.org/max-retries: "3"}}
        spec: {containers: [{name: tensorflow}]}
)";

}  // namespace

TEST_CASE("a replica under ExitCode has its table and what the operator does", "[explain]") {
  const Explanation explanation = explain_text(kTfJob);
  CHECK(explanation.kind == "TFJob");
  CHECK(explanation.operator_name == "training-operator/1.9");
  REQUIRE(explanation.replicas.size() == 2);

  const explain::Replica& chief = explanation.replicas[0];
  CHECK(chief.type == "Chief");
  CHECK(chief.policy == "Never");
  CHECK(chief.is_default);
  CHECK_FALSE(chief.table);
  CHECK(chief.ends.empty());
  CHECK(chief.note == "no container is started again: a failed pod fails the job");

  const explain::Replica& worker = explanation.replicas[1];
  CHECK(worker.policy == "ExitCode");
  CHECK_FALSE(worker.is_default);
  REQUIRE(worker.table);
  CHECK(worker.table->max_retries == 3);
  CHECK(end_with(worker, 139).response == Response::retries);
  CHECK_FALSE(end_with(worker, 139).agrees());
  CHECK(end_with(worker, 143).agrees());
  CHECK(explain::table_says(end_with(worker, 42)) == "undefined: permanent");
  CHECK(explain::operator_does(end_with(worker, 42)) == "fails the job");
  const auto& limit = worker.ends.back();
  CHECK(limit.end == End::retry_limit);
  CHECK(explain::describe(limit, *worker.table) == "retried 3 times already");
  REQUIRE(explanation.notes.size() == 2);
  CHECK(explanation.notes[1].starts_with("backoffLimit does not bound retries under ExitCode"));
}

TEST_CASE("an operator that does not serve a kind is told, and which do", "[explain]") {
  const Explanation explanation = explain_text(
      "apiVersion: kubeflow.org/v1beta1\nkind: TFJob\nspec: {tfReplicaSpecs: {Worker: "
      "{restartPolicy: ExitCode, template: {spec: {containers: [{name: tensorflow}]}}}}}\n");
  REQUIRE(explanation.notes.size() == 1);
  CHECK(explanation.notes[0] ==
        "training-operator/1.9 does not serve TFJob v1beta1; these do: tf-operator/0.4");
  CHECK_FALSE(end_with(explanation.replicas.at(0), 139).response);
}

TEST_CASE("of a kind whose codes are not read only the table is told", "[explain]") {
  const Explanation explanation = explain_text(
      "apiVersion: kubeflow.org/v1\nkind: MPIJob\nspec: {mpiReplicaSpecs: {Worker: "
      "{restartPolicy: ExitCode, template: {spec: {containers: [{name: a}]}}}}}\n");
  REQUIRE(explanation.notes.size() == 1);
  CHECK(explanation.notes[0] == "training-operator/1.9 reads no exit codes of MPIJob");
  for (const operators::Comparison& end : explanation.replicas.at(0).ends) {
    CHECK(explain::operator_does(end) == "not known");
    CHECK(end.agrees());
  }
}

TEST_CASE("a policy that is none is told", "[explain]") {
  const Explanation explanation = explain_text(
      "apiVersion: kubeflow.org/v1\nkind: TFJob\nspec: {tfReplicaSpecs: {Worker: "
      "{restartPolicy: Sometimes, template: {spec: {containers: [{name: tensorflow}]}}}}}\n");
  CHECK(explanation.replicas.at(0).policy.empty());
  CHECK(explanation.replicas.at(0).note ==
        "\"Sometimes\" is no restart policy of TFJob: 'tfjob-webhook lint' tells how to mend it");
}

TEST_CASE("every code is in the explanation once", "[explain]") {
  const Explanation explanation = explain_text(kTfJob);
  std::size_t count = 0;
  for (const operators::Comparison& end : explanation.replicas[1].ends) {
    count += end.codes.values().size();
  }
  CHECK(count == 255);
}

TEST_CASE("an explanation is readable on 80 columns", "[explain]") {
  const std::string text = explain::to_text(explain_text(kTfJob), "f.yaml:1: TFJob mnist");
  CHECK(
      text.starts_with("f.yaml:1: TFJob mnist, training-operator/1.9\n\n"
                       "Chief: Never (the default)\n"
                       "  no container is started again: a failed pod fails the job\n\n"
                       "Worker: ExitCode, table kubeflow\n"));
  CHECK(text.find("\n  128, 139                         permanent             retries        "
                  "differs\n") != std::string::npos);
  CHECK(text.find("\n  retried 3 times already          permanent             retries        "
                  "differs\n") != std::string::npos);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    INFO(text.substr(begin, end - begin));
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
}

TEST_CASE("an explanation as JSON has the table and every end", "[explain]") {
  const auto json = explain::to_json(explain_text(kTfJob));
  CHECK(json["operator"] == "training-operator/1.9");
  CHECK(json["replicas"][0].contains("table") == false);
  const auto& worker = json["replicas"][1];
  CHECK(worker["table"]["maxRetries"] == 3);
  CHECK(worker["ends"][0] == nlohmann::ordered_json::parse(
                                 R"({"end": "codes", "codes": [1, 2, 126, 127],
                                     "verdict": "permanent", "handledAs": "permanent",
                                     "operator": "fails", "differs": false})"));
  const auto& last = worker["ends"].back();
  CHECK(last["end"] == "maxRetries");
  CHECK(last["differs"] == true);
  CHECK(last["mend"] ==
        "only a controller that honours the table counts retries; activeDeadlineSeconds bounds "
        "their time");
}
