#include "sources/source.h"

#include <chrono>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"

using sources::read_source;
using sources::Source;

namespace {

constexpr std::string_view kJob = "apiVersion: kubeflow.org/v1\nkind: TFJob\nspec: {}\n";

/// Each job as "PATH KIND NAMESPACE/NAME".
std::vector<std::string> jobs_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const sources::Job& job : read_source(text).jobs) {
    lines.push_back(job.path + " " + job.kind_name + " " + job.name_space + "/" + job.name);
  }
  return lines;
}

/// Each error as "LINE:COLUMN RULE: MESSAGE".
std::vector<std::string> errors_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const sources::Error& error : read_source(text).errors) {
    lines.push_back(std::to_string(error.at.mark.line) + ":" +
                    std::to_string(error.at.mark.column) + " " + std::string(error.rule) + ": " +
                    error.message);
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a job is a document, an item of a list or an object in another", "[sources]") {
  CHECK(jobs_of("apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: {name: a, namespace: n}\n") ==
        Lines{" TFJob n/a"});
  CHECK(jobs_of("kind: Service\n---\n" + std::string(kJob) + "---\n---\n" + std::string(kJob)) ==
        Lines{" TFJob /", " TFJob /"});
  CHECK(jobs_of("{apiVersion: v1, kind: List, items: [{kind: Pod}, {apiVersion: kubeflow.org/v1, "
                "kind: PyTorchJob, metadata: {generateName: b-}}]}") ==
        Lines{"items[1] PyTorchJob /b-"});
  CHECK(jobs_of("{apiVersion: kubeflow.org/v1, kind: TFJobList, items: [{metadata: {name: a}}]}") ==
        Lines{"items[0] TFJob /a"});
  CHECK(jobs_of("kind: Experiment\nmetadata: {namespace: n}\nspec:\n  trialTemplate:\n    "
                "trialSpec: {apiVersion: kubeflow.org/v1, kind: JAXJob, spec: {}}\n") ==
        Lines{"spec.trialTemplate.trialSpec JAXJob n/"});
}

TEST_CASE("what only names a job is none", "[sources]") {
  CHECK(jobs_of("metadata: {ownerReferences: [{apiVersion: kubeflow.org/v1, kind: TFJob, "
                "name: a, uid: b}]}")
            .empty());
  CHECK(jobs_of("apiVersion: example.com/v1\nkind: TFJob\nspec: {}\n").empty());
  CHECK(jobs_of("apiVersion: kubeflow.org/v1beta1\nkind: Experiment\nspec: {}\n").empty());
  CHECK(jobs_of("apiVersion: {a: b}\nkind: TFJob\nspec: {}\n").empty());
  CHECK(jobs_of("").empty());
  CHECK(jobs_of("# nothing\n").empty());
}

TEST_CASE("an unknown version of our kinds is kept without a kind", "[sources]") {
  const Source source = read_source("apiVersion: kubeflow.org/v9\nkind: MPIJob\n");
  REQUIRE(source.jobs.size() == 1);
  CHECK(source.jobs[0].kind == nullptr);
  CHECK(source.jobs[0].api_version == "kubeflow.org/v9");
  CHECK(source.jobs[0].json.empty());
}

TEST_CASE("a job's JSON is what kubectl sends", "[sources]") {
  const Source source = read_source(
      "x: &a {restartPolicy: Never}\napiVersion: kubeflow.org/v1\nkind: TFJob\n"
      "spec: {tfReplicaSpecs: {Worker: {<<: *a, replicas: 0x10, on: 9223372036854775807}}}\n");
  REQUIRE(source.jobs.size() == 1);
  CHECK(nlohmann::json::parse(source.jobs[0].json)["spec"] == nlohmann::json::parse(R"({
    "tfReplicaSpecs": {"Worker": {"restartPolicy": "Never", "replicas": 16,
                                  "true": 9223372036854775807}}})"));
}

TEST_CASE("JSON is read object by object, and so is a byte order mark", "[sources]") {
  const std::string job = R"({"apiVersion":"kubeflow.org\/v1","kind":"TFJob","metadata":{}})";
  CHECK(jobs_of(job + "\n" + job + job).size() == 3);
  CHECK(jobs_of("\xEF\xBB\xBF" + job).size() == 1);
  CHECK(jobs_of("\xEF\xBB\xBF" + std::string(kJob)).size() == 1);
  CHECK(jobs_of(job + "\n---\n" + std::string(kJob)).size() == 2);
}

TEST_CASE("jobs in strings are noted", "[sources]") {
  const auto notes = [](std::string_view text) { return read_source(text).notes; };
  const auto found =
      notes("data:\n  a.yaml: |\n    apiVersion: kubeflow.org/v1\n    kind: TFJob\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].at.mark == yaml::Mark{2, 11});
  CHECK(found[0].message.starts_with("a TFJob stands in this string and is not checked"));
  CHECK(notes(R"(a: '{"apiVersion": "kubeflow.org/v1", "kind": "MPIJob"}')").size() == 1);
  CHECK(notes("a: kubeflow.org/v1 has no TFJobs of that kind\n").empty());
  CHECK(notes("a: 'apiVersion: kubeflow.org/v1, kind: TFJobs'\n").empty());
  CHECK(notes("metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: "
              "'{\"apiVersion\":\"kubeflow.org/v1\",\"kind\":\"TFJob\"}'}}")
            .empty());
}

TEST_CASE("a key given twice is an error, and the last one counts", "[sources]") {
  CHECK(errors_of("a: 1\nb: {c: 1,\n  c: 2}\n") ==
        Lines{"3:3 duplicate-key: the key \"c\" is given twice, first in line 2: readers disagree "
              "which one counts (kubectl takes the last); remove one"});
  // More keys than are compared one by one.
  std::string many = "k: 1\n";
  for (int i = 0; i < 40; ++i) many += "k" + std::to_string(i) + ": 1\n";
  CHECK(errors_of(many).empty());
  CHECK(errors_of(many + "k: 2\nk7: 2\n").size() == 2);
  CHECK(errors_of("a: &a {x: 1}\nb: {<<: *a, x: 2}\nc: {<<: *a}\n").empty());
  CHECK(jobs_of("apiVersion: v1\n" + std::string(kJob)).size() == 1);
}

TEST_CASE("a broken document does not hide the others", "[sources]") {
  const std::string job(kJob);
  const Source source = read_source(job + "---\na: {\n---\n" + job + "---\n\tb: c\n---\n" + job);
  CHECK(source.jobs.size() == 3);
  REQUIRE(source.errors.size() == 2);
  CHECK(source.errors[0].rule == "invalid-yaml");
  CHECK(source.errors[1].at.mark == yaml::Mark{11, 1});
  CHECK(source.jobs[2].node.mark() == yaml::Mark{13, 1});
}

TEST_CASE("values that JSON cannot hold are errors at their place", "[sources]") {
  CHECK(errors_of(std::string(kJob) + "x: .inf\n") ==
        Lines{"4:4 invalid-yaml: JSON has no '.inf': write a number, or quote it"});
}

TEST_CASE("binary data is told from text", "[sources]") {
  CHECK(errors_of(std::string("a\nb\0c", 5)) ==
        Lines{"2:2 invalid-yaml: this is binary data, not a manifest"});
  CHECK(errors_of(std::string("\xFF\xFE\x61\x00", 4)) ==
        Lines{"1:1 invalid-yaml: this is UTF-16: save it as UTF-8"});
  CHECK(errors_of("a: \xFF\n") ==
        Lines{"1:4 invalid-yaml: this is not UTF-8: save the file in that encoding"});
}

TEST_CASE("a template that is not rendered is one error", "[sources][unrendered]") {
  for (const std::string_view text :
       {"kind: TFJob\nmetadata:\n  name: {{ .Values.name }}\nspec:\n  a: {{ .b }}\n",
        "{{- if .Values.enabled }}\nkind: TFJob\n{{- end }}\n", "{% if a %}\na: b\n{% endif %}\n",
        "a: {{ name }}-x\n", "a:\n  - {{ item }}\n",
        "a: b\n{{ include \"x\" . }}\n---\n{{ x }}\n"}) {
    INFO(text);
    const Source source = read_source(text);
    REQUIRE(source.errors.size() == 1);
    CHECK(source.errors[0].rule == "unrendered-template");
    CHECK(text.substr(source.errors[0].at.begin).starts_with("{"));
  }
  // Something else is wrong here.
  CHECK(read_source("a: \"{{ x }}\"\nb: |\n  {{inputs.x}}\nc: d\ne: [\n").errors[0].rule ==
        "invalid-yaml");
  CHECK(read_source("a: \"{{ x }}\"\n").errors.empty());
}

TEST_CASE("hostile text is bounded in time and memory", "[sources]") {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string previous = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + previous;
    for (int k = 0; k < 8; ++k) laughs.append(", ").append(previous);
    laughs += "]\n";
  }
  std::string bytes = "a: &a \"" + std::string(1 << 20, 'x') + "\"\nb: [";
  for (int i = 0; i < 100; ++i) bytes += "*a, ";
  std::string deep;
  deep.resize(10'000'000, '[');
  std::string keys;
  for (int i = 0; i < 200000; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  std::string objects;
  for (int i = 0; i < 200000; ++i) objects += "{\"a\":1}";
  std::string broken;
  for (int i = 0; i < 200000; ++i) broken += "---\n[\n";

  const auto begin = std::chrono::steady_clock::now();
  CHECK(errors_of(laughs)[0].ends_with("write fewer of them"));
  CHECK(errors_of(bytes + "]\n")[0].ends_with(
      "aliases stand for more than 32 MiB: write fewer of them"));
  CHECK(errors_of("a: &a [*a]\n") == Lines{"1:8 invalid-yaml: the anchor '&a' contains itself"});
  CHECK(errors_of(deep)[0].ends_with("nested deeper than 200 levels"));
  CHECK(errors_of("{\"a\":" + deep)[0].ends_with("nested deeper than 200 levels"));
  CHECK(errors_of(keys).empty());
  CHECK(errors_of(objects).empty());
  CHECK(errors_of(objects + "{a b}").size() == 1);
  CHECK(errors_of(broken).size() == 8);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}
