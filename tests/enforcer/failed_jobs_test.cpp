#include "enforcer/failed_jobs.h"

#include "tests/enforcer/objects.h"
#include "tests/support/catch.h"

using enforcer::FailedJobs;
using enforcer_test::PodSpec;

namespace {

bool left_over(const PodSpec& spec) {
  const auto pod = enforcer::read_pod(enforcer_test::pod(spec), nullptr);
  REQUIRE(pod);
  return enforcer::is_left_over(*pod,
                                {.pod = "mnist-worker-0", .completed = "2026-12-01T08:00:00Z"});
}

}  // namespace

TEST_CASE("A pod that was made again for a failed job is left over", "[enforcer][failed_jobs]") {
  for (const char* const phase : {"Pending", "Running", "Unknown"}) {
    CAPTURE(phase);
    CHECK(left_over({.phase = phase, .code = std::nullopt}));
  }
  CHECK(left_over({.name = "mnist-worker-1",
                   .phase = "Pending",
                   .code = std::nullopt,
                   .created = "2026-12-01T08:00:01Z"}));
}

TEST_CASE("Pods of before the failure are the operator's to clean", "[enforcer][failed_jobs]") {
  CHECK_FALSE(left_over({.name = "mnist-worker-1",
                         .phase = "Running",
                         .code = std::nullopt,
                         .created = "2026-12-01T08:00:00Z"}));
  CHECK_FALSE(left_over({}));  // the failed pod itself
  CHECK_FALSE(
      left_over({.phase = "Running", .code = std::nullopt, .deleted = "2026-12-01T08:00:05Z"}));
}

TEST_CASE("Failed jobs are remembered for a while", "[enforcer][failed_jobs]") {
  FailedJobs jobs;
  const auto now = FailedJobs::Clock::now();
  jobs.add("a", {.pod = "p", .completed = "t"}, now);
  REQUIRE(jobs.find("a"));
  CHECK(jobs.find("a")->pod == "p");
  CHECK(jobs.added("a") == now);
  CHECK_FALSE(jobs.find("b"));
  jobs.add("b", {}, now + FailedJobs::kWatched + std::chrono::seconds(1));
  CHECK_FALSE(jobs.find("a"));
  CHECK(jobs.find("b"));
}
