#include "enforcer/failed_status.h"

#include "tests/enforcer/objects.h"
#include "tests/support/catch.h"

using enforcer_test::PodSpec;
using nlohmann::json;

namespace {

constexpr const char* kNow = "2026-12-01T08:00:00Z";

enforcer::WatchedPod pod_of(const PodSpec& spec) {
  return *enforcer::read_pod(enforcer_test::pod(spec), nullptr);
}

json patch_of(const json& status, const std::vector<PodSpec>& pods = {}) {
  json object = enforcer_test::job({.status = status});
  object["metadata"]["resourceVersion"] = "7";
  const auto ref = enforcer_test::tfjob_ref();
  const auto failed = pod_of({});
  std::vector<enforcer::WatchedPod> all{failed};
  for (const PodSpec& spec : pods) all.push_back(pod_of(spec));
  return enforcer::failed_status(ref, enforcer::read_job(*ref.kind, object), "ExitCodePermanent",
                                 "why", all, failed, kNow);
}

}  // namespace

TEST_CASE("Failed is the last condition, and Running is over", "[enforcer][failed_status]") {
  const json patch =
      patch_of({{"conditions",
                 {{{"type", "Created"}, {"status", "True"}, {"lastTransitionTime", "t"}},
                  {{"type", "Running"}, {"status", "True"}, {"lastTransitionTime", "t"}},
                  {{"type", "Restarting"}, {"status", "False"}}}}});
  CHECK(patch["status"]["conditions"] ==
        json{{{"type", "Created"}, {"status", "True"}, {"lastTransitionTime", "t"}},
             {{"type", "Running"},
              {"status", "False"},
              {"lastTransitionTime", kNow},
              {"lastUpdateTime", kNow}},
             {{"type", "Restarting"}, {"status", "False"}},
             {{"type", "Failed"},
              {"status", "True"},
              {"reason", "ExitCodePermanent"},
              {"message", "why"},
              {"lastUpdateTime", kNow},
              {"lastTransitionTime", kNow}}});
  CHECK(patch["status"]["completionTime"] == kNow);
}

TEST_CASE("The patch holds only for the job that was read", "[enforcer][failed_status]") {
  CHECK(patch_of(json::object())["metadata"] == json{{"uid", "job-1"}, {"resourceVersion", "7"}});
}

TEST_CASE("An earlier Failed is replaced, a completionTime kept", "[enforcer][failed_status]") {
  const json patch = patch_of({{"conditions", {{{"type", "Failed"}, {"status", "False"}}}},
                               {"completionTime", "2026-11-30T00:00:00Z"}});
  CHECK(patch["status"]["conditions"].size() == 1);
  CHECK_FALSE(patch["status"].contains("completionTime"));
}

TEST_CASE("Pods are counted as the operator counts them", "[enforcer][failed_status]") {
  const json patch = patch_of(
      json::object(),
      {{.uid = "again", .phase = "Running", .code = std::nullopt},  // of the replica that failed
       {.uid = "1", .index = "1", .phase = "Running", .code = std::nullopt},
       {.uid = "2", .index = "2", .phase = "Succeeded", .code = 0},
       {.uid = "3", .index = "3", .phase = "Pending", .code = std::nullopt},
       {.uid = "p", .type = "ps", .phase = "Running", .code = std::nullopt}});
  CHECK(patch["status"]["replicaStatuses"] ==
        json{{"Worker", {{"active", 1}, {"succeeded", 1}, {"failed", 1}}},
             {"PS", {{"active", 1}, {"succeeded", nullptr}, {"failed", nullptr}}}});
}
