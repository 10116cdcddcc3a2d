#include "admission/tables.h"

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "exit_codes/annotation.h"
#include "tests/support/catch.h"
#include "tests/support/job.h"
#include "tests/support/review.h"

using nlohmann::ordered_json;
using support::replica;
using support::tfjob;

namespace {

const std::string kTableKey = "exit-codes.kubeflow.org/table";
const std::string kPrefix = "exit-codes.kubeflow.org/";

std::string encoded(const std::string& profile) {
  return exit_codes::encode(*exit_codes::Profiles().find(profile));
}

/// A Worker under ExitCode and a PS under Never.
ordered_json job() {
  return ordered_json::parse(
      tfjob(replica("Worker", R"("ExitCode")") + "," + replica("PS", R"("Never")")));
}

/// What the API server would store, and the warnings, after CREATE or (with `old`) UPDATE.
struct Stored {
  ordered_json object;
  std::vector<std::string> warnings;

  [[nodiscard]] std::optional<std::string> job_table() const { return table(object["metadata"]); }
  [[nodiscard]] std::optional<std::string> table_of(const std::string& type) const {
    return table(object["spec"]["tfReplicaSpecs"][type]["template"].value("metadata",
                                                                          ordered_json::object()));
  }

 private:
  static std::optional<std::string> table(const ordered_json& metadata) {
    const auto annotations = metadata.value("annotations", ordered_json::object());
    if (!annotations.contains(kTableKey)) return std::nullopt;
    return annotations[kTableKey].get<std::string>();
  }
};

Stored store(const ordered_json& object, const ordered_json& old = nullptr,
             const admission::Settings& settings = {}) {
  const auto review = support::make_review(
      object, {.operation = old.is_null() ? "CREATE" : "UPDATE", .old_object = old});
  const auto answer = support::answer(review.dump(), settings);
  REQUIRE(answer["response"]["allowed"] == true);
  Stored stored{support::patched(object, answer), {}};
  if (answer["response"].contains("warnings")) {
    stored.warnings = answer["response"]["warnings"].get<std::vector<std::string>>();
  }
  return stored;
}

/// Settings whose default profile is another one: an administrator's edit.
admission::Settings with_default(const std::string& profile) {
  admission::Settings settings;
  settings.profile = profile;
  return settings;
}

void set_table(ordered_json& metadata, const std::string& value) {
  metadata["annotations"][kTableKey] = value;
}

const std::string kEdited =
    "metadata.annotations[exit-codes.kubeflow.org/table]: the edit is undone: set profile, "
    "retryable or permanent instead";

}  // namespace

TEST_CASE("a new job has a table, and so has each template under ExitCode", "[admission][tables]") {
  const Stored stored = store(job());
  CHECK(stored.job_table() == encoded("kubeflow"));
  CHECK(stored.table_of("Worker") == encoded("kubeflow"));
  CHECK_FALSE(stored.table_of("PS"));
  CHECK(stored.warnings.empty());
}

TEST_CASE("on CREATE tables are written whatever the manifest holds", "[admission][tables]") {
  auto copy = job();
  set_table(copy["metadata"], encoded("signals"));
  set_table(copy["spec"]["tfReplicaSpecs"]["Worker"]["template"]["metadata"], "rubbish");
  set_table(copy["spec"]["tfReplicaSpecs"]["PS"]["template"]["metadata"], encoded("signals"));
  const Stored stored = store(copy);
  CHECK(stored.job_table() == encoded("kubeflow"));
  CHECK(stored.table_of("Worker") == encoded("kubeflow"));
  CHECK_FALSE(stored.table_of("PS"));
  CHECK(stored.warnings.empty());
}

TEST_CASE("job and replica have tables of their own", "[admission][tables]") {
  auto object = job();
  object["metadata"]["annotations"] = {{kPrefix + "profile", "signals"},
                                       {kPrefix + "max-retries", "4"}};
  object["spec"]["tfReplicaSpecs"]["Worker"]["template"]["metadata"]["annotations"] = {
      {kPrefix + "profile", "cloudml"}};
  const Stored stored = store(object);
  CHECK(stored.job_table()->find(R"("profile":"signals")") != std::string::npos);
  CHECK(stored.job_table()->ends_with(R"("maxRetries":4})"));
  CHECK(stored.table_of("Worker")->find(R"("profile":"cloudml")") != std::string::npos);
  CHECK(stored.table_of("Worker")->ends_with(R"("maxRetries":4})"));
}

TEST_CASE("on UPDATE tables stay when an administrator edits a profile", "[admission][tables]") {
  const auto old = store(job()).object;
  auto update = old;
  update["spec"]["runPolicy"] = {{"suspend", true}};
  const Stored stored = store(update, old, with_default("cloudml"));
  CHECK(stored.object == update);
  CHECK(stored.warnings.empty());
}

TEST_CASE("on UPDATE a removal is undone in silence", "[admission][tables]") {
  const auto old = store(job()).object;
  const Stored stored = store(job(), old, with_default("cloudml"));
  CHECK(stored.job_table() == encoded("kubeflow"));
  CHECK(stored.table_of("Worker") == encoded("kubeflow"));
  CHECK(stored.warnings.empty());
}

TEST_CASE("on UPDATE an edit is undone with a warning", "[admission][tables]") {
  const auto old = store(job()).object;
  auto update = old;
  set_table(update["metadata"], encoded("signals"));
  const Stored stored = store(update, old);
  CHECK(stored.object == old);
  CHECK(stored.warnings == std::vector<std::string>{kEdited});

  auto strange = old;
  strange["metadata"]["annotations"][kTableKey] = "no table at all";
  CHECK(store(strange, old).object == old);
}

TEST_CASE("a table put on a replica that has none is removed with a warning",
          "[admission][tables]") {
  const auto old = store(job()).object;
  auto update = old;
  set_table(update["spec"]["tfReplicaSpecs"]["PS"]["template"]["metadata"], encoded("signals"));
  const Stored stored = store(update, old);
  CHECK_FALSE(stored.table_of("PS"));
  REQUIRE(stored.warnings.size() == 1);
  CHECK(stored.warnings.front().ends_with("is removed: only replicas under ExitCode have a table"));
}

TEST_CASE("a change of the job's own inputs makes all tables anew", "[admission][tables]") {
  const auto old = store(job()).object;
  auto update = old;
  update["metadata"]["annotations"][kPrefix + "retryable"] = "42";
  const Stored stored = store(update, old, with_default("cloudml"));
  for (const auto& table : {stored.job_table(), stored.table_of("Worker")}) {
    REQUIRE(table);
    CHECK(table->find(R"("profile":"cloudml")") != std::string::npos);
    CHECK(table->find(R"("retryable":[42,130,137,143])") != std::string::npos);
  }
  CHECK(stored.warnings.empty());
}

TEST_CASE("inputs written otherwise but meaning the same change nothing", "[admission][tables]") {
  auto before = job();
  before["metadata"]["annotations"] = {{kPrefix + "retryable", "40, 41,42"}};
  const auto old = store(before).object;
  auto update = old;
  update["metadata"]["annotations"][kPrefix + "retryable"] = "40-42";
  CHECK(store(update, old, with_default("cloudml")).object == update);
}

TEST_CASE("an absent policy and its default are the same", "[admission][tables]") {
  const auto old = store(job()).object;
  auto update = old;
  update["spec"]["tfReplicaSpecs"]["PS"].erase("restartPolicy");
  CHECK(store(update, old, with_default("cloudml")).object == update);
}

TEST_CASE("a changed policy makes all tables anew and takes those of the others",
          "[admission][tables]") {
  const auto old = store(job()).object;
  auto update = old;
  update["spec"]["tfReplicaSpecs"]["Worker"]["restartPolicy"] = "OnFailure";
  update["spec"]["tfReplicaSpecs"]["PS"]["restartPolicy"] = "ExitCode";
  const Stored stored = store(update, old, with_default("cloudml"));
  CHECK(stored.job_table() == encoded("cloudml"));
  CHECK_FALSE(stored.table_of("Worker"));
  CHECK(stored.table_of("PS") == encoded("cloudml"));
  CHECK(stored.warnings.empty());
}

TEST_CASE("a changed set of replica types makes all tables anew", "[admission][tables]") {
  const auto old = store(job()).object;
  auto more = old;
  more["spec"]["tfReplicaSpecs"]["Chief"] = more["spec"]["tfReplicaSpecs"]["PS"];
  CHECK(store(more, old, with_default("cloudml")).job_table() == encoded("cloudml"));
  auto fewer = old;
  fewer["spec"]["tfReplicaSpecs"].erase("PS");
  CHECK(store(fewer, old, with_default("cloudml")).job_table() == encoded("cloudml"));
  auto swapped = fewer;
  swapped["spec"]["tfReplicaSpecs"]["Chief"] = more["spec"]["tfReplicaSpecs"]["Chief"];
  CHECK(store(swapped, old, with_default("cloudml")).job_table() == encoded("cloudml"));
}

TEST_CASE("the operator's folding of a type's case is no change", "[admission][tables]") {
  const auto lower = ordered_json::parse(tfjob(replica("worker", R"("ExitCode")")));
  const auto old = store(lower).object;
  auto update = old;
  update["spec"]["tfReplicaSpecs"] = {{"Worker", old["spec"]["tfReplicaSpecs"]["worker"]}};
  CHECK(store(update, old, with_default("cloudml")).object == update);
}

TEST_CASE("a stored table that is missing or unreadable is made anew, the other stays",
          "[admission][tables]") {
  const auto good = store(job()).object;
  auto missing = good;
  missing["metadata"].erase("annotations");
  const Stored after = store(missing, missing, with_default("cloudml"));
  CHECK(after.job_table() == encoded("cloudml"));
  CHECK(after.table_of("Worker") == encoded("kubeflow"));

  auto broken = good;
  set_table(broken["spec"]["tfReplicaSpecs"]["Worker"]["template"]["metadata"], "{}");
  CHECK(store(broken, broken, with_default("cloudml")).table_of("Worker") == encoded("cloudml"));

  auto later = good;
  set_table(later["metadata"], R"({"version":2})");
  CHECK(store(later, later).job_table() == encoded("kubeflow"));
}

TEST_CASE("a stored table that contradicts the user's inputs is made anew", "[admission][tables]") {
  // An update that was made while the webhook was down: inputs and table do not match.
  const auto stale = [](const std::string& key, const std::string& value) {
    auto object = store(job()).object;
    object["metadata"]["annotations"][kPrefix + key] = value;
    return object;
  };
  const auto table_after = [](const ordered_json& object) {
    return *store(object, object).job_table();
  };
  CHECK(table_after(stale("retryable", "139")).find(R"("retryable":[130,137,138,139,143])") !=
        std::string::npos);
  CHECK(table_after(stale("permanent", "143")).find(R"("permanent":[1,2,126,127,128,139,143])") !=
        std::string::npos);
  CHECK(table_after(stale("profile", "cloudml")) == encoded("cloudml"));
  CHECK(table_after(stale("max-retries", "7")).ends_with(R"("maxRetries":7})"));
  // Inputs that the table honours already are no contradiction.
  const auto fits = stale("retryable", "130, SIGTERM");
  CHECK(store(fits, fits, with_default("cloudml")).object == fits);
}

TEST_CASE("in v1alpha1 every template has the table", "[admission][tables]") {
  const auto object = ordered_json::parse(R"({"apiVersion":"kubeflow.org/v1alpha1","kind":"TFJob",
    "metadata":{"name":"a"},"spec":{"replicaSpecs":[
      {"template":{"spec":{"restartPolicy":"OnFailure"}}},
      {"tfReplicaType":"PS"},
      {"tfReplicaType":"WORKER","template":{"metadata":null,"spec":{"restartPolicy":"Never"}}}]}})");
  const auto stored = store(object).object;
  const auto& replicas = stored["spec"]["replicaSpecs"];
  CHECK(replicas[0]["template"]["metadata"]["annotations"][kTableKey] == encoded("kubeflow"));
  CHECK_FALSE(replicas[1].contains("template"));
  CHECK(replicas[2]["template"]["metadata"]["annotations"][kTableKey] == encoded("kubeflow"));
}

TEST_CASE("a table that finds no room is left out with a warning", "[admission][tables]") {
  auto object = job();
  const std::string table = encoded("kubeflow");
  const std::size_t room = 262'144 - kTableKey.size() - table.size() - 1;  // 1: the key "x"
  object["metadata"]["annotations"] = {{"x", std::string(room, 'y')}};
  CHECK(store(object).job_table() == table);

  object["metadata"]["annotations"] = {{"x", std::string(room + 1, 'y')}};
  const Stored full = store(object);
  CHECK_FALSE(full.job_table());
  CHECK(full.table_of("Worker") == table);
  CHECK(full.warnings ==
        std::vector<std::string>{"metadata.annotations[exit-codes.kubeflow.org/table]: with it "
                                 "annotations would exceed 262144 bytes: shorten them"});

  // A table that is there already does not count twice.
  object["metadata"]["annotations"] = {{"x", std::string(room, 'y')}, {kTableKey, "old"}};
  CHECK(store(object).job_table() == table);
}
