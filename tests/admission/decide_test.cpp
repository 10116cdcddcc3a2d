#include "admission/decide.h"

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/job.h"
#include "tests/support/review.h"

using admission::Endpoint;
using admission::Enforcement;
using nlohmann::ordered_json;
using support::answer;
using support::make_review;
using support::replica;
using support::ReviewSpec;
using support::tfjob;

namespace {

ordered_json job(const std::string& policy) {
  return ordered_json::parse(tfjob(replica("Worker", policy)));
}

/// The `response` for a CREATE, or an UPDATE if `old` is no null.
ordered_json respond(const ordered_json& object, const ordered_json& old = nullptr,
                     const admission::Settings& settings = {}, Endpoint endpoint = Endpoint::mutate,
                     const std::string& name_space = "default") {
  const ReviewSpec spec{.operation = old.is_null() ? "CREATE" : "UPDATE",
                        .old_object = old,
                        .name_space = name_space};
  return answer(make_review(object, spec).dump(), settings, endpoint)["response"];
}

bool is_untouched(const ordered_json& response) {
  return response["allowed"] == true && response.size() == 2;  // uid and allowed
}

const ordered_json kGood = job(R"("Never")");
const ordered_json kBad = job(R"("Sometimes")");

}  // namespace

TEST_CASE("both endpoints deny an invalid job and only one patches a valid one",
          "[admission][decide]") {
  for (const Endpoint endpoint : {Endpoint::mutate, Endpoint::validate}) {
    const auto denied = respond(kBad, nullptr, {}, endpoint);
    CHECK(denied["allowed"] == false);
    CHECK(denied["status"]["code"] == 422);
    CHECK_FALSE(denied.contains("patch"));
    const auto allowed = respond(kGood, nullptr, {}, endpoint);
    CHECK(allowed["allowed"] == true);
    CHECK(allowed.contains("patch") == (endpoint == Endpoint::mutate));
    CHECK(allowed["auditAnnotations"] ==
          ordered_json{{"outcome", "allowed"}, {"profile", "kubeflow"}});
  }
}

TEST_CASE("deletions, subresources and other kinds are allowed unchanged", "[admission][decide]") {
  const auto untouched = [](const ordered_json& review) {
    return is_untouched(answer(review.dump())["response"]);
  };
  for (const char* operation : {"DELETE", "CONNECT", ""}) {
    CHECK(untouched(make_review(kBad, {.operation = operation, .old_object = kBad})));
  }
  auto status = make_review(kBad);
  status["request"]["subResource"] = "status";
  CHECK(untouched(status));
  auto scale = make_review(kBad);
  scale["request"]["subResource"] = "scale";
  CHECK(untouched(scale));
  auto other = kBad;
  other["kind"] = "Notebook";
  CHECK(untouched(make_review(other)));
  other["kind"] = "TFJob";
  other["apiVersion"] = "kubeflow.org/v2";
  CHECK(untouched(make_review(other)));
}

TEST_CASE("an object that is being deleted is let go", "[admission][decide]") {
  auto going = kBad;
  going["metadata"]["deletionTimestamp"] = "2026-12-01T00:00:00Z";
  CHECK(is_untouched(respond(going, kGood)));
  auto bare = kBad;
  bare["metadata"].erase("name");
  CHECK(is_untouched(respond(bare, going)));
}

TEST_CASE("the review's kind decides, not that of the request or the object",
          "[admission][decide]") {
  auto review = make_review(kBad);
  review["request"]["requestKind"]["kind"] = "Notebook";
  review["request"]["object"]["kind"] = "Notebook";
  CHECK(answer(review.dump())["response"]["allowed"] == false);
  review["request"]["kind"]["kind"] = "Notebook";
  CHECK(is_untouched(answer(review.dump())["response"]));
}

TEST_CASE("an object that is none is denied with its place", "[admission][decide]") {
  for (const auto& [object, words] : {std::pair<ordered_json, std::string>{"text", "a string"},
                                      {nullptr, "null"},
                                      {5, "a number"},
                                      {ordered_json::array({1}), "a list"}}) {
    auto review = make_review(kGood);
    review["request"]["object"] = object;
    const auto response = answer(review.dump())["response"];
    CHECK(response["allowed"] == false);
    const auto& cause = response["status"]["details"]["causes"][0];
    CHECK(cause["field"] == "object");
    CHECK(cause["message"] == "must be an object of kind TFJob, not " + words);
    CHECK(response["auditAnnotations"]["rules"] == "malformed-job");
  }
  auto review = make_review(kGood);
  review["request"].erase("object");
  CHECK(answer(review.dump())["response"]["status"]["details"]["causes"][0]["message"] ==
        "must be an object of kind TFJob, not nothing");
}

TEST_CASE("a denial names the job, by generateName if it has no name yet", "[admission][decide]") {
  CHECK(respond(kBad)["status"]["details"]["name"] == "mnist");
  auto generated = kBad;
  generated["metadata"] = {{"generateName", "train-"}};
  const auto response = respond(generated);
  CHECK(response["status"]["details"]["name"] == "train-");
  CHECK(response["status"]["message"] ==
        "TFJob.kubeflow.org \"train-\" is invalid: spec.tfReplicaSpecs[Worker].restartPolicy: "
        "\"Sometimes\" is no restart policy: use one of Always, OnFailure, Never, ExitCode");
}

TEST_CASE("a fault that the stored object has already only warns", "[admission][decide]") {
  SECTION("the same fault is let be") {
    auto changed = kBad;
    changed["spec"]["runPolicy"] = {{"suspend", true}};
    const auto response = respond(changed, kBad);
    CHECK(response["allowed"] == true);
    CHECK(response["auditAnnotations"] == ordered_json{{"outcome", "ratcheted"},
                                                       {"rules", "invalid-restart-policy"},
                                                       {"profile", "kubeflow"}});
    REQUIRE(response["warnings"].size() == 1);
    CHECK(response["warnings"][0].get<std::string>().ends_with(
        "is no restart policy: use one of Always, OnFailure, Never, ExitCode"));
  }
  SECTION("another value at the same place is denied") {
    CHECK(respond(job(R"("Rarely")"), kBad)["allowed"] == false);
  }
  SECTION("the same value at another place is denied, and only that") {
    const auto two = ordered_json::parse(
        tfjob(replica("Worker", R"("Sometimes")") + "," + replica("PS", R"("Sometimes")")));
    const auto response = respond(two, kBad);
    CHECK(response["allowed"] == false);
    REQUIRE(response["status"]["details"]["causes"].size() == 1);
    CHECK(response["status"]["details"]["causes"][0]["field"] ==
          "spec.tfReplicaSpecs[PS].restartPolicy");
    CHECK(response["warnings"].size() == 1);
  }
  SECTION("a new fault on a good object is denied") {
    CHECK(respond(kBad, kGood)["allowed"] == false);
  }
  SECTION("a stored object that is none has no faults") {
    CHECK(respond(kBad, "text")["allowed"] == false);
  }
  SECTION("a bad list is let be, and its code left out of the table") {
    auto old = job(R"("ExitCode")");
    old["metadata"]["annotations"] = {{"exit-codes.kubeflow.org/retryable", "0"},
                                      {"exit-codes.kubeflow.org/permanent", "42"}};
    const auto response = respond(old, old);
    CHECK(response["allowed"] == true);
    const auto stored = support::patched(old, {{"response", response}});
    CHECK(
        stored["metadata"]["annotations"]["exit-codes.kubeflow.org/table"].get<std::string>().find(
            "\"permanent\":[1,2,42,126,127,128,139]") != std::string::npos);
  }
}

TEST_CASE("enforcement warn turns denials into warnings", "[admission][decide]") {
  admission::Settings settings;
  settings.enforcement = Enforcement::warn;
  const auto response = respond(kBad, nullptr, settings);
  CHECK(response["allowed"] == true);
  CHECK(response["auditAnnotations"] == ordered_json{{"outcome", "warned"},
                                                     {"rules", "invalid-restart-policy"},
                                                     {"profile", "kubeflow"}});
  REQUIRE(response["warnings"].size() == 1);
  CHECK(response["warnings"][0] ==
        "...tfReplicaSpecs[Worker].restartPolicy: \"Sometimes\" is no restart policy: use one of "
        "Always, "
        "OnFailure, Never, ExitCode");
  CHECK(support::patch_of({{"response", response}}).size() == 1);  // the job's table is written
}

TEST_CASE("enforcement audit is silent but for the audit log", "[admission][decide]") {
  admission::Settings settings;
  settings.enforcement = Enforcement::audit;
  const auto response =
      respond(ordered_json::parse(tfjob(replica("Sidekick", R"("Sometimes")"))), nullptr, settings);
  CHECK(response["allowed"] == true);
  CHECK_FALSE(response.contains("warnings"));
  CHECK(response["auditAnnotations"] ==
        ordered_json{{"outcome", "audited"},
                     {"rules", "invalid-restart-policy, unknown-replica-type"},
                     {"profile", "kubeflow"}});
}

TEST_CASE("an object that is none passes under warn and audit, unpatched", "[admission][decide]") {
  admission::Settings settings;
  settings.enforcement = Enforcement::warn;
  auto review = make_review(kGood);
  review["request"]["object"] = "text";
  const auto response = answer(review.dump(), settings)["response"];
  CHECK(response["allowed"] == true);
  CHECK(response["warnings"] ==
        ordered_json{"object: must be an object of kind TFJob, not a string"});
  CHECK_FALSE(response.contains("patch"));
}

TEST_CASE("a namespace has its own profile and enforcement", "[admission][decide]") {
  admission::Settings settings;
  settings.namespaces = {
      {.match = {"team-*"}, .profile = "cloudml", .enforcement = Enforcement::warn}};
  const auto here = respond(kBad, nullptr, settings, Endpoint::mutate, "team-a");
  CHECK(here["allowed"] == true);
  CHECK(here["auditAnnotations"]["profile"] == "cloudml");
  CHECK(respond(kBad, nullptr, settings, Endpoint::mutate, "default")["allowed"] == false);
}

TEST_CASE("warnings are given beside a denial", "[admission][decide]") {
  const auto response = respond(ordered_json::parse(tfjob(replica("Sidekick", R"("Sometimes")"))));
  CHECK(response["allowed"] == false);
  CHECK(response["status"]["details"]["causes"].size() == 1);
  CHECK(response["warnings"] ==
        ordered_json{"spec.tfReplicaSpecs[Sidekick]: \"Sidekick\" is no replica type of TFJob: use "
                     "Chief, Master, PS, Worker, Evaluator"});
}

TEST_CASE("under warn, tables are made from the inputs that are sound", "[admission][decide]") {
  admission::Settings settings;
  settings.enforcement = Enforcement::warn;
  auto object = job(R"("ExitCode")");
  object["metadata"]["annotations"] = {{"exit-codes.kubeflow.org/profile", "nope"},
                                       {"exit-codes.kubeflow.org/retryable", "42"},
                                       {"exit-codes.kubeflow.org/max-retries", "3"}};
  const auto response = respond(object, nullptr, settings);
  const auto stored = support::patched(object, {{"response", response}});
  CHECK(stored["metadata"]["annotations"]["exit-codes.kubeflow.org/table"] ==
        R"({"version":1,"profile":"kubeflow","permanent":[1,2,126,127,128,139],)"
        R"("retryable":[42,130,137,138,143],"undefined":"permanent",)"
        R"("reasons":{"OOMKilled":"permanent"},"disruption":"retryable",)"
        R"("noExitCode":"retryable","maxRetries":3})");
}
