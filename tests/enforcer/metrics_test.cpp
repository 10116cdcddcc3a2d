#include "enforcer/metrics.h"

#include <string>

#include "tests/support/catch.h"

using enforcer::Metrics;

namespace {

bool has(const Metrics& metrics, const std::string& line) {
  return ("\n" + metrics.text()).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("Verdicts are counted by kind, code and what followed", "[enforcer][metrics]") {
  Metrics metrics;
  metrics.count_verdict("TFJob", 139, "failed");
  metrics.count_verdict("TFJob", 139, "failed");
  metrics.count_verdict("PyTorchJob", std::nullopt, "left");
  metrics.count_verdict("PyTorchJob", 3'221'225'477, "left");
  const std::string name = "tfjob_enforcer_verdicts_total";
  CHECK(has(metrics, name + R"({action="failed",code="139",kind="TFJob"} 2)"));
  CHECK(has(metrics, name + R"({action="left",code="none",kind="PyTorchJob"} 1)"));
  CHECK(has(metrics, name + R"({action="left",code="other",kind="PyTorchJob"} 1)"));
}

TEST_CASE("Times, counts and states are told", "[enforcer][metrics]") {
  Metrics metrics;
  metrics.observe_delay(std::chrono::milliseconds(700), std::chrono::milliseconds(20));
  metrics.observe_reaction(std::chrono::milliseconds(20));
  metrics.count_refused_release();
  metrics.count_removed_pod();
  metrics.count_api_error("watch pods");
  metrics.set_queue_depth(3);
  metrics.set_pods(10, 4);
  metrics.set_leader(true);
  metrics.set_dropped(5, 6);
  metrics.set_configuration_reloaded(false);
  for (const char* const line :
       {R"(tfjob_enforcer_verdict_delay_seconds_bucket{le="1"} 1)",
        R"(tfjob_enforcer_verdict_delay_seconds_bucket{le="0.5"} 0)",
        R"(tfjob_enforcer_reaction_seconds_count 2)",
        R"(tfjob_enforcer_reaction_seconds_bucket{le="0.025"} 2)",
        R"(tfjob_enforcer_releases_refused_total 1)", R"(tfjob_enforcer_pods_removed_total 1)",
        R"(tfjob_enforcer_api_errors_total{call="watch pods"} 1)",
        R"(tfjob_enforcer_queue_depth 3)", R"(tfjob_enforcer_pods 10)",
        R"(tfjob_enforcer_pods_held 4)", R"(tfjob_enforcer_leader 1)",
        R"(tfjob_enforcer_events_dropped 5)", R"(tfjob_enforcer_log_lines_dropped 6)",
        R"(tfjob_enforcer_configuration_last_reload_successful 0)"}) {
    CAPTURE(line);
    CHECK(has(metrics, line));
  }
}
