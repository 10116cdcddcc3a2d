#include "annotate/edit.h"

#include <string>
#include <vector>

#include "sources/source.h"
#include "tests/support/catch.h"

using annotate::Change;

namespace {

struct Wanted {
  std::vector<std::string> path;
  std::string value;
};

/// `text` with the changes of its first job made; the error where that cannot be.
std::string edited(const std::string& text, const std::vector<Wanted>& wanted) {
  const sources::Source source = sources::read_source(text);
  REQUIRE_FALSE(source.jobs.empty());
  std::vector<Change> changes;
  changes.reserve(wanted.size());
  for (const auto& [path, value] : wanted) changes.push_back({&source.jobs.front(), path, value});
  const auto edits = annotate::make_edits(text, changes);
  return edits ? annotate::with_edits(text, *edits) : edits.error();
}

const std::string kHead = "apiVersion: kubeflow.org/v1\nkind: TFJob\n";

}  // namespace

TEST_CASE("an annotation goes before those that are there", "[annotate][edit]") {
  CHECK(edited(kHead + "metadata:\n  annotations:\n    # ours\n    a: b\nspec: {}\n",
               {{{"metadata", "annotations", "t"}, R"("x")"}}) ==
        kHead + "metadata:\n  annotations:\n    # ours\n    t: 'x'\n    a: b\nspec: {}\n");
  CHECK(edited(kHead + "metadata: {annotations: {a: b}}\n",
               {{{"metadata", "annotations", "t"}, R"("it's")"}}) ==
        kHead + "metadata: {annotations: {t: 'it''s', a: b}}\n");
  CHECK(edited(kHead + "metadata: {annotations: {}}\n",
               {{{"metadata", "annotations", "t"}, R"("x")"}}) ==
        kHead + "metadata: {annotations: {t: 'x'}}\n");
}

TEST_CASE("what is missing around an annotation is made", "[annotate][edit]") {
  CHECK(
      edited(kHead + "metadata:\n  name: a\n", {{{"metadata", "annotations"}, R"({"t": "x"})"}}) ==
      kHead + "metadata:\n  annotations:\n    t: 'x'\n  name: a\n");
  CHECK(edited(kHead + "spec: {}\n", {{{"metadata"}, R"({"annotations": {"t": "x"}})"}}) ==
        kHead + "metadata:\n  annotations:\n    t: 'x'\nspec: {}\n");
  // Behind the dash of an item there is no line of its own.
  CHECK(edited("kind: List\napiVersion: v1\nitems:\n- spec: {}\n  kind: TFJob\n  apiVersion: "
               "kubeflow.org/v1\n",
               {{{"metadata"}, R"({"annotations": {"t": "x"}})"}}) ==
        "kind: List\napiVersion: v1\nitems:\n- metadata:\n    annotations:\n      t: 'x'\n  spec: "
        "{}\n  kind: TFJob\n  apiVersion: kubeflow.org/v1\n");
}

TEST_CASE("null is replaced, in whatever way it is written", "[annotate][edit]") {
  const std::vector<Wanted> wanted{{{"metadata", "annotations"}, R"({"t": "x"})"}};
  CHECK(edited(kHead + "metadata:\n  annotations:\n  name: a\n", wanted) ==
        kHead + "metadata:\n  annotations: {t: 'x'}\n  name: a\n");
  CHECK(edited(kHead + "metadata:\n  annotations: ~ # none\n", wanted) ==
        kHead + "metadata:\n  annotations: {t: 'x'} # none\n");
}

TEST_CASE("an annotation that is there is replaced or removed", "[annotate][edit]") {
  const std::vector<std::string> path{"metadata", "annotations", "t"};
  CHECK(edited(kHead + "metadata:\n  annotations:\n    t: \"old\" # why\n    a: b\n",
               {{path, R"("x")"}}) ==
        kHead + "metadata:\n  annotations:\n    t: 'x' # why\n    a: b\n");
  CHECK(edited(kHead + "metadata:\n  annotations:\n    t: |\n      old\n    a: b\n",
               {{path, R"("x")"}}) == kHead + "metadata:\n  annotations:\n    t: 'x'\n    a: b\n");
  CHECK(edited(kHead + "metadata:\n  annotations:\n    t: old\n    a: b\n", {{path, ""}}) ==
        kHead + "metadata:\n  annotations:\n    a: b\n");
  CHECK(edited(kHead + "metadata:\n  annotations:\n    t: old\n", {{path, ""}}) ==
        kHead + "metadata:\n  annotations:\n    {}\n");
  CHECK(edited(kHead + "metadata: {annotations: {t: old, a: b}}\n", {{path, ""}}) ==
        kHead + "metadata: {annotations: {a: b}}\n");
  CHECK(edited(kHead + "metadata: {annotations: {a: b, t: old}}\n", {{path, ""}}) ==
        kHead + "metadata: {annotations: {a: b}}\n");
}

TEST_CASE("JSON stays JSON, and line breaks stay as they are", "[annotate][edit]") {
  CHECK(edited("{\n  \"apiVersion\": \"kubeflow.org/v1\",\n  \"kind\": \"TFJob\"\n}\n",
               {{{"metadata"}, R"({"annotations": {"t": "x"}})"}}) ==
        "{\n  \"metadata\": {\"annotations\":{\"t\":\"x\"}},\n  \"apiVersion\": "
        "\"kubeflow.org/v1\",\n  \"kind\": \"TFJob\"\n}\n");
  CHECK(edited("apiVersion: kubeflow.org/v1\r\nkind: TFJob\r\nmetadata:\r\n  name: a\r\n",
               {{{"metadata", "annotations"}, R"({"t": "x"})"}}) ==
        "apiVersion: kubeflow.org/v1\r\nkind: TFJob\r\nmetadata:\r\n  annotations:\r\n    t: "
        "'x'\r\n  name: a\r\n");
}

TEST_CASE("what an anchor shares is changed once, or written out where it must differ",
          "[annotate][edit]") {
  const std::string shared = kHead +
                             "spec:\n  tfReplicaSpecs:\n    Chief: &r\n      template:\n        "
                             "spec: {}\n    Worker: *r\n";
  const auto template_of = [](const std::string& type) {
    return std::vector<std::string>{"spec", "tfReplicaSpecs", type, "template", "metadata"};
  };
  const std::string value = R"({"annotations": {"t": "x"}})";
  CHECK(edited(shared, {{template_of("Chief"), value}, {template_of("Worker"), value}}) ==
        kHead +
            "spec:\n  tfReplicaSpecs:\n    Chief: &r\n      template:\n        metadata:\n         "
            " annotations:\n            t: 'x'\n        spec: {}\n    Worker: *r\n");
  const std::string differing = edited(shared, {{template_of("Worker"), value}});
  CHECK(differing.find("\"Worker\": {\n") != std::string::npos);
  CHECK(differing.find('*') == std::string::npos);
}

TEST_CASE("where an anchor that would go is used elsewhere no edits are made", "[annotate][edit]") {
  CHECK(edited(kHead + "spec:\n  tfReplicaSpecs:\n    Chief: &r\n      template: {spec: {}}\n    "
                       "Worker: *r\nother: *r\n",
               {{{"spec", "tfReplicaSpecs", "Worker", "template", "metadata"},
                 R"({"annotations": {"t": "x"}})"}}) ==
        "an anchor or a merge key shares what would change");
}

TEST_CASE("a list is written on one line", "[annotate][edit]") {
  CHECK(edited(kHead + "metadata:\n  name: a\n",
               {{{"metadata", "finalizers"}, R"(["a/b", "it's"])"}}) ==
        kHead + "metadata:\n  finalizers: ['a/b', 'it''s']\n  name: a\n");
  CHECK(edited(kHead + "metadata:\n  finalizers: [a/b]\n",
               {{{"metadata", "finalizers"}, R"(["a/b", "c/d"])"}}) ==
        kHead + "metadata:\n  finalizers: ['a/b', 'c/d']\n");
}
