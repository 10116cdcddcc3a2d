#include "enforcer/judgement.h"

#include "exit_codes/annotation.h"
#include "exit_codes/profile.h"
#include "tests/enforcer/objects.h"
#include "tests/support/catch.h"

using enforcer::Action;
using enforcer::Judgement;
using enforcer_test::PodSpec;
using nlohmann::json;

namespace {

enforcer::WatchedPod watched(const PodSpec& spec) {
  auto found = enforcer::read_pod(enforcer_test::pod(spec), nullptr);
  REQUIRE(found);
  return *found;
}

enforcer::JobState state(const enforcer_test::JobSpec& spec = {}) {
  return enforcer::read_job(*enforcer_test::tfjob_ref().kind, enforcer_test::job(spec));
}

operators::Behaviour behaviour(const std::string& name = "training-operator/1.9") {
  const auto found = operators::find_operator(name);
  REQUIRE(found);
  return operators::behaviour_of(**found, *enforcer_test::tfjob_ref().kind->kind).value();
}

Judgement judge(const PodSpec& spec, const enforcer::JobState& job = state()) {
  return enforcer::judge(watched(spec), job, behaviour());
}

}  // namespace

TEST_CASE("What the table calls permanent and the operator retries fails the job",
          "[enforcer][judgement]") {
  for (const int code : {128, 139, 129, 200, 255}) {
    CAPTURE(code);
    CHECK(judge({.code = code}).action == Action::fail);
  }
  CHECK(judge({.code = 137, .reason = "OOMKilled"}).action == Action::fail);
}

TEST_CASE("What the operator fails by itself is left to it", "[enforcer][judgement]") {
  for (const int code : {1, 2, 126, 127}) {
    CAPTURE(code);
    const Judgement left = judge({.code = code});
    CHECK(left.action == Action::leave);
    CHECK(left.why.ends_with("; the operator decides by the code alone, and does not retry it"));
    REQUIRE(left.decision);
    CHECK(left.decision->handled_as == exit_codes::Verdict::permanent);
  }
}

TEST_CASE("What both retry is counted", "[enforcer][judgement]") {
  for (const int code : {130, 137, 138, 143}) {
    CAPTURE(code);
    CHECK(judge({.code = code}).action == Action::count);
  }
}

TEST_CASE("A retry over the limit fails the job", "[enforcer][judgement]") {
  enforcer::JobState job = state();
  const PodSpec spec{.max_retries = 2, .code = 143};
  CHECK(judge(spec, job).action == Action::count);
  job.retries.add("worker-0", "a", 1);
  CHECK(judge(spec, job).action == Action::count);
  job.retries.add("worker-0", "b", 2);
  const Judgement over = judge(spec, job);
  CHECK(over.action == Action::fail);
  CHECK(enforcer::reason_of(over) == "MaxRetriesExceeded");
  // Another replica has its own count.
  CHECK(judge({.index = "1", .max_retries = 2, .code = 143}, job).action == Action::count);
}

TEST_CASE("A disruption is neither judged by its code nor counted", "[enforcer][judgement]") {
  const json target{{{"type", "DisruptionTarget"}, {"status", "True"}, {"reason", "x"}}};
  CHECK(judge({.code = 139, .conditions = target}).action == Action::retry);
}

TEST_CASE("Without an exit code there is no verdict of permanent", "[enforcer][judgement]") {
  const Judgement none = judge({.code = std::nullopt});
  CHECK(none.action != Action::fail);
  CHECK_FALSE(none.code);
}

TEST_CASE("Only replicas under ExitCode are judged", "[enforcer][judgement]") {
  const Judgement left = judge({.code = 139}, state({.policy = "OnFailure"}));
  CHECK(left.action == Action::leave);
  CHECK(left.why == "its replica is not under ExitCode");
  CHECK(judge({.type = "ps", .code = 139}).why == "its replica is not under ExitCode");
}

TEST_CASE("A pod that was deleted before it ended is left alone", "[enforcer][judgement]") {
  const Judgement left =
      judge({.code = 139, .finished = "2026-12-01T08:00:10Z", .deleted = "2026-12-01T08:00:05Z"});
  CHECK(left.action == Action::leave);
  CHECK(left.why == "it was deleted before it ended");
}

TEST_CASE("Workers of a dynamic job may end", "[enforcer][judgement]") {
  enforcer::JobState job = state();
  job.dynamic_workers = true;
  CHECK(judge({.code = 139}, job).action == Action::leave);
}

TEST_CASE("Without a table that can be read nothing is judged", "[enforcer][judgement]") {
  CHECK(judge({.profile = "", .code = 139}).action == Action::leave);
  // The job's own stands in for the pod's.
  enforcer::JobState job = state();
  job.table = exit_codes::encode(*exit_codes::Profiles().find("kubeflow"));
  CHECK(judge({.profile = "", .code = 139}, job).action == Action::fail);
}

TEST_CASE("Jobs that nobody judges say why", "[enforcer][judgement]") {
  CHECK(enforcer::why_not_judged(state()).empty());
  CHECK(enforcer::why_not_judged(state({.run_policy = {{"suspend", true}}})) ==
        "the job is suspended");
  CHECK(enforcer::why_not_judged(state({.run_policy = {{"managedBy", "a/b"}}})) ==
        "the job is managed by a/b");
  enforcer::JobState job = state();
  job.finished = true;
  CHECK(enforcer::why_not_judged(job) == "the job is finished");
  job.deleting = true;
  CHECK(enforcer::why_not_judged(job) == "the job is being deleted");
}

TEST_CASE("The message has pod, code, signal, reason, table and what was written",
          "[enforcer][judgement]") {
  const auto pod = watched({.code = 139, .message = "segfault at 0"});
  const std::string text = enforcer::message_of(pod, judge({.code = 139}));
  CHECK(text ==
        "pod mnist-worker-0 ended with exit code 139 (SIGSEGV, signal 11), reason Error: 139 "
        "(SIGSEGV, signal 11) is permanent: profile kubeflow lists it. It wrote: segfault at 0");
  CHECK(enforcer::pod_of_message(text) == "mnist-worker-0");
  CHECK(enforcer::pod_of_message("TFJob mnist has failed").empty());
  CHECK(enforcer::pod_of_message("pod x").empty());
}

TEST_CASE("The reason tells a permanent end from too many retries", "[enforcer][judgement]") {
  CHECK(enforcer::reason_of(judge({.code = 139})) == "ExitCodePermanent");
}
