// Wherever and however the parts of a manifest are written: its edited text is what the webhook
// stores, and a second time changes nothing.

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "annotate/answer.h"
#include "annotate/edit.h"
#include "sources/source.h"
#include "tests/support/catch.h"
#include "tests/support/review.h"
#include "yaml/json.h"
#include "yaml/parse.h"

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// `text` as `annotate` shows it; the error where it cannot.
std::string annotated(const std::string& text) {
  const admission::Settings settings;
  const sources::Source source = sources::read_source(text);
  std::vector<annotate::Change> changes;
  for (const sources::Job& job : source.jobs) {
    const annotate::Answer answer = annotate::ask(job, settings);
    std::ranges::move(annotate::changes_of(job, answer.patch), std::back_inserter(changes));
  }
  const auto edits = annotate::make_edits(text, changes);
  return edits ? annotate::with_edits(text, *edits) : edits.error();
}

std::vector<json> objects(std::string_view text) {
  const auto documents = yaml::parse(text);
  REQUIRE(documents.has_value());
  std::vector<json> all;
  for (const yaml::Document& document : *documents) {
    const auto object = yaml::to_json(document.root);
    REQUIRE(object.has_value());
    all.emplace_back(*object);
  }
  return all;
}

/// What the webhook stores of each document of `text`.
std::vector<json> stored(std::string_view text) {
  std::vector<json> all;
  for (const json& object : objects(text)) {
    const ordered_json answer = support::answer(support::make_review(object).dump());
    all.emplace_back(support::patched(object, answer));
  }
  return all;
}

void check(const std::string& text) {
  INFO(text);
  const std::string now = annotated(text);
  INFO(now);
  CHECK(now != text);
  CHECK(objects(now) == stored(text));
  CHECK(annotated(now) == now);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// A TFJob in YAML with this text for its metadata and for its worker's template's.
std::string tfjob(const std::string& metadata, const std::string& of_template) {
  return "apiVersion: kubeflow.org/v1\nkind: TFJob\n" + metadata +
         "spec:\n  tfReplicaSpecs:\n    Worker:\n      restartPolicy: ExitCode\n"
         "      template:\n" +
         of_template +
         "        spec:\n          containers:\n          - name: tensorflow\n"
         "            image: example.com/mnist\n";
}

const std::string kNamed = "metadata:\n  name: mnist\n";

}  // namespace

TEST_CASE("the table is added wherever annotations stand and however they are written",
          "[annotate][manifest]") {
  for (const char* const metadata :
       {"metadata:\n  name: mnist\n",
        "metadata: {name: mnist}\n",
        "metadata: { name: mnist, }\n",
        "metadata: {\n  name: mnist, # why\n  labels: {a: b}\n}\n",
        "metadata:\n  name: mnist\n  annotations:\n",
        "metadata:\n  annotations: # none\n  name: m\n",
        "metadata:\n  annotations: null # none\n  name: m\n",
        "metadata:\n  annotations: ~\n  name: m\n",
        "metadata:\n  annotations: {}\n  name: m\n",
        "metadata:\n  annotations: {a: b}\n  name: m\n",
        "metadata:\n  name: m\n  annotations:\n    a: b # c\n\n    # more\n",
        "metadata:\n  name: m\n  annotations:\n      a: |\n        text\n\n",
        "metadata:\n  name: m\n  annotations: &x\n    a: b\n",
        "metadata:\n  name: m\n  annotations: !!map\n    a: b\n",
        "metadata:\n  name: m\n  annotations: &x {a: b}\n",
        "metadata: {\"name\": \"m\", \"annotations\": {\"a\": \"b\"}}\n",
        "metadata: {\"name\": \"m\", \"annotations\": {}}\n",
        "metadata: {name: m, annotations: null}\n",
        "metadata: {name: m, annotations: }\n",
        "metadata:\n  ? name\n  : m\n",
        "\"metadata\":\n  \"name\": m\n",
        "metadata:\n  name: m\n  annotations:\n    exit-codes.kubeflow.org/table: old\n",
        "metadata:\n  annotations:\n    exit-codes.kubeflow.org/table: |\n      old\n    a: b\n",
        "metadata:\n  name: m\n  annotations:\n    exit-codes.kubeflow.org/table:\n    a: b\n",
        "metadata:\n  name: m\n  annotations:\n    exit-codes.kubeflow.org/table:\n      'old'\n",
        "metadata: {name: m, annotations: {exit-codes.kubeflow.org/table: old, a: b}}\n",
        ""}) {
    const std::string block(metadata);
    check(tfjob(block, ""));
    // The same below the template.
    std::string of_template = "        " + replaced(block, "\n", "\n        ");
    of_template.resize(of_template.size() - 8);
    check(tfjob(kNamed, of_template));
    check(replaced(tfjob(block, of_template), "\n", "\r\n"));
    check("\xEF\xBB\xBF# é\n---\n" + tfjob(block, of_template) + "---\n" + tfjob(kNamed, ""));
  }
}

TEST_CASE("lines that are not touched stay as they are", "[annotate][manifest]") {
  const std::string now = annotated(
      "# a comment\n" + tfjob("metadata:   # odd\n    name:   'mnist'\n", "") + "\n# the end");
  for (const char* const line :
       {"# a comment\n", "metadata:   # odd\n", "    name:   'mnist'\n", "\n# the end"}) {
    CHECK(now.find(line) != std::string::npos);
  }
}

TEST_CASE("JSON of a job stays JSON, on one line and on many", "[annotate][manifest]") {
  for (const json& object :
       objects(tfjob(kNamed, "") + "---\n" + tfjob(kNamed, "        metadata: {}\n") + "---\n" +
               tfjob(kNamed, "        metadata: null\n"))) {
    for (const int indent : {-1, 2, 4}) {
      const std::string text = object.dump(indent);
      check(text);
      CHECK(json::accept(annotated(text)));
      CHECK(json::accept(annotated(replaced(text, "\n", "\r\n"))));
    }
  }
}

TEST_CASE("aliases and merge keys bring what they shall, not more and not less",
          "[annotate][manifest]") {
  const std::string worker =
      replaced(tfjob(kNamed, "        metadata: &m\n          labels: &l\n            a: b\n"),
               "template:\n", "template: &t\n");
  const std::string merged = replaced(worker, "Worker:\n", "Worker: &w\n");
  for (const char* const more :
       {"    PS: *w\n", "    PS:\n      <<: *w\n      restartPolicy: Never\n",
        "    PS: {<<: *w, restartPolicy: Never}\n",
        "    PS:\n      restartPolicy: Never\n      template: *t\n",
        "    PS:\n      restartPolicy: ExitCode\n      template:\n        <<: *t\n        "
        "metadata:\n"
        "          annotations:\n            exit-codes.kubeflow.org/retryable: '42'\n",
        "    PS:\n      restartPolicy: ExitCode\n      template:\n        metadata:\n"
        "          annotations: *l\n        spec: {containers: [{name: tensorflow}]}\n",
        "    PS:\n      restartPolicy: Never\n      template:\n        metadata: *m\n"
        "        spec: {containers: [{name: tensorflow}]}\n",
        "    PS:\n      restartPolicy: ExitCode\n      template:\n        metadata:\n"
        "          annotations:\n            <<: *l # all of them\n"
        "        spec: {containers: [{name: tensorflow}]}\n",
        "    PS:\n      restartPolicy: ExitCode\n      template:\n        metadata:\n"
        "          annotations: {<<: *l}\n        spec: {containers: [{name: tensorflow}]}\n"}) {
    check(merged + more);
  }
}

TEST_CASE("a table that a template is not to have is taken out", "[annotate][manifest]") {
  for (const char* const annotations :
       {"\n            exit-codes.kubeflow.org/table: old\n",
        "\n            a: b\n            exit-codes.kubeflow.org/table: old # why\n",
        "\n            exit-codes.kubeflow.org/table: |\n              old\n            a: b\n",
        " {exit-codes.kubeflow.org/table: old}\n", " {exit-codes.kubeflow.org/table: old, a: b}\n",
        " {a: b, exit-codes.kubeflow.org/table: old}\n"}) {
    check(replaced(
        tfjob(kNamed, "        metadata:\n          annotations:" + std::string(annotations)),
        "ExitCode", "Never"));
  }
}

TEST_CASE("v1alpha1 replicas are edited beside their dashes", "[annotate][manifest]") {
  check(
      "apiVersion: kubeflow.org/v1alpha1\nkind: TFJob\nmetadata:\n  name: m\nspec:\n"
      "  replicaSpecs:\n  - template:\n      spec:\n        restartPolicy: Never\n"
      "        containers: [{name: tensorflow}]\n    tfReplicaType: MASTER\n"
      "  - {tfReplicaType: WORKER, template: {spec: {containers: [{name: tensorflow}]}}}\n");
}

TEST_CASE("a text that cannot hold the tables is an error", "[annotate][manifest]") {
  // The value that is replaced has an anchor that something else needs.
  CHECK(annotated(tfjob("metadata:\n  name: &t m\n", "") + "other: *t\n").find("other: *t\n") !=
        std::string::npos);
  CHECK(annotated("x: &all\n  y: 1\n" +
                  tfjob("metadata:\n  name: m\n  annotations:\n"
                        "    exit-codes.kubeflow.org/table: &t old\n",
                        "") +
                  "other: *t\n") == "an anchor or a merge key shares what would change");
}
