#include "admission/finalizer.h"

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/job.h"
#include "tests/support/review.h"

using nlohmann::ordered_json;
using support::replica;
using support::tfjob;

namespace {

const std::string kOurs = "exit-codes.kubeflow.org/verdict";

admission::Settings holding() {
  admission::Settings settings;
  settings.evidence = admission::Evidence::finalizer;
  return settings;
}

/// A Worker under ExitCode and a PS under Never.
ordered_json job() {
  return ordered_json::parse(
      tfjob(replica("Worker", R"("ExitCode")") + "," + replica("PS", R"("Never")")));
}

ordered_json& template_of(ordered_json& object, const std::string& type = "Worker") {
  return object["spec"]["tfReplicaSpecs"][type]["template"];
}

/// What the API server would store after CREATE or (with `old`) UPDATE.
ordered_json stored(const ordered_json& object, const admission::Settings& settings,
                    const ordered_json& old = nullptr) {
  const auto review = support::make_review(
      object, {.operation = old.is_null() ? "CREATE" : "UPDATE", .old_object = old});
  const auto answer = support::answer(review.dump(), settings);
  REQUIRE(answer["response"]["allowed"] == true);
  return support::patched(object, answer);
}

/// The finalizers of a template; null where there are none.
ordered_json finalizers(ordered_json object, const std::string& type = "Worker") {
  const ordered_json metadata = template_of(object, type).value("metadata", ordered_json::object());
  return metadata.value("finalizers", ordered_json());
}

}  // namespace

TEST_CASE("evidence: finalizer holds the pods of replicas under ExitCode, no others",
          "[admission][finalizer]") {
  const auto object = stored(job(), holding());
  CHECK(finalizers(object) == ordered_json{kOurs});
  CHECK(finalizers(object, "PS").is_null());
  CHECK(finalizers(stored(job(), {})).is_null());
}

TEST_CASE("The finalizer goes behind those that are there", "[admission][finalizer]") {
  ordered_json object = job();
  template_of(object)["metadata"]["finalizers"] = {"a/b", "c/d"};
  CHECK(finalizers(stored(object, holding())) == ordered_json{"a/b", "c/d", kOurs});
  template_of(object)["metadata"]["finalizers"] = ordered_json::array();
  CHECK(finalizers(stored(object, holding())) == ordered_json{kOurs});
}

TEST_CASE("A template keeps what else its metadata has", "[admission][finalizer]") {
  ordered_json object = job();
  template_of(object)["metadata"] = {{"labels", {{"a", "b"}}}};
  ordered_json after = stored(object, holding());
  CHECK(template_of(after)["metadata"]["labels"] == ordered_json{{"a", "b"}});
  CHECK(template_of(after)["metadata"]["annotations"].contains("exit-codes.kubeflow.org/table"));
  CHECK(finalizers(after) == ordered_json{kOurs});
}

TEST_CASE("A second pass changes nothing", "[admission][finalizer]") {
  const ordered_json once = stored(job(), holding());
  const auto again = support::answer(support::make_review(once).dump(), holding());
  CHECK_FALSE(again["response"].contains("patch"));
}

TEST_CASE("A finalizer that holds no pod any more is taken away from new jobs",
          "[admission][finalizer]") {
  ordered_json object = job();
  template_of(object)["metadata"]["finalizers"] = {"a/b", kOurs};
  template_of(object, "PS")["metadata"]["finalizers"] = {kOurs};
  CHECK(finalizers(stored(object, {})) == ordered_json{"a/b"});
  const ordered_json held = stored(object, holding());
  CHECK(finalizers(held) == ordered_json{"a/b", kOurs});
  CHECK(finalizers(held, "PS") == ordered_json::array());
}

TEST_CASE("A running job's pods stay as it was created", "[admission][finalizer]") {
  const ordered_json free = stored(job(), {});
  ordered_json changed = free;
  changed["metadata"]["labels"] = {{"a", "b"}};
  CHECK(finalizers(stored(changed, holding(), free)).is_null());

  const ordered_json held = stored(job(), holding());
  changed = held;
  changed["metadata"]["labels"] = {{"a", "b"}};
  CHECK(finalizers(stored(changed, {}, held)) == ordered_json{kOurs});
  // A removal, by --release-all, is not undone.
  changed = held;
  template_of(changed)["metadata"]["finalizers"] = ordered_json::array();
  CHECK(finalizers(stored(changed, holding(), held)) == ordered_json::array());
}

TEST_CASE("Where the tables are made anew, so is the finalizer", "[admission][finalizer]") {
  const ordered_json free = stored(job(), {});
  ordered_json changed = free;
  changed["metadata"]["annotations"]["exit-codes.kubeflow.org/max-retries"] = "3";
  CHECK(finalizers(stored(changed, holding(), free)) == ordered_json{kOurs});
}

TEST_CASE("Pods that no enforcer looks at are not held", "[admission][finalizer]") {
  ordered_json old = job();
  old["apiVersion"] = "kubeflow.org/v1beta2";
  CHECK(finalizers(stored(old, holding())).is_null());

  const ordered_json mpi = ordered_json::parse(
      R"({"apiVersion":"kubeflow.org/v1","kind":"MPIJob","metadata":{"name":"m"},"spec":
          {"mpiReplicaSpecs":{"Launcher":{"restartPolicy":"ExitCode","template":
          {"spec":{"containers":[{"name":"mpi","image":"i"}]}}}}}})");
  const auto answer = support::answer(support::make_review(mpi).dump(), holding());
  CHECK(support::patch_of(answer).dump().find("finalizers") == std::string::npos);
}

TEST_CASE("What is no list of names is left as it is", "[admission][finalizer]") {
  for (const ordered_json& odd : {ordered_json("a/b"), ordered_json{1}, ordered_json::object()}) {
    CAPTURE(odd.dump());
    ordered_json object = job();
    template_of(object)["metadata"]["finalizers"] = odd;
    CHECK(finalizers(stored(object, holding())) == odd);
  }
}
