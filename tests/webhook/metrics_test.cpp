#include "webhook/metrics.h"

#include <string>

#include "tests/support/catch.h"

using admission::Endpoint;
using admission::Review;

TEST_CASE("labels come from a small set, whatever clients send", "[webhook][metrics]") {
  webhook::Metrics metrics;
  for (const char* kind : {"A", "B", "TFJob"}) {
    Review review;
    review.group = "example.com";
    review.version = "v1";
    review.kind = kind;
    review.operation_name = kind;
    metrics.count(review, Endpoint::mutate, {}, std::chrono::microseconds(30));
  }
  const std::string text = metrics.text();
  CHECK(text.find(R"(tfjob_webhook_reviews_total{endpoint="mutate",kind="other",)"
                  R"(operation="other",outcome="ignored"} 3)") != std::string::npos);
  CHECK(text.find("TFJob") == std::string::npos);
}

TEST_CASE("findings are counted by rule and severity", "[webhook][metrics]") {
  webhook::Metrics metrics;
  admission::Decision decision;
  const auto add = [&](std::string_view rule, jobs::Severity severity) {
    decision.findings.push_back(
        {.rule = rule, .severity = severity, .field = {}, .value = {}, .message = {}});
  };
  add("malformed-job", jobs::Severity::denied);
  add("malformed-job", jobs::Severity::denied);
  add("malformed-job", jobs::Severity::warned);
  metrics.count({}, Endpoint::mutate, decision, std::chrono::microseconds(30));
  metrics.count({}, Endpoint::mutate, decision, std::chrono::microseconds(30));
  const std::string text = metrics.text();
  const std::string sample = R"(tfjob_webhook_findings_total{rule="malformed-job",severity=)";
  CHECK(text.find(sample + "\"denied\"} 4") != std::string::npos);
  CHECK(text.find(sample + "\"warned\"} 2") != std::string::npos);
}

TEST_CASE("a review's time goes to its bucket", "[webhook][metrics]") {
  webhook::Metrics metrics;
  metrics.count({}, Endpoint::validate, {}, std::chrono::microseconds(30));
  const std::string text = metrics.text();
  const std::string bucket =
      "tfjob_webhook_review_duration_seconds_bucket{endpoint=\"validate\",le=";
  CHECK(text.find(bucket + "\"2.5e-05\"} 0") != std::string::npos);
  CHECK(text.find(bucket + "\"5e-05\"} 1") != std::string::npos);
}

TEST_CASE("gauges hold what they are told", "[webhook][metrics]") {
  webhook::Metrics metrics;
  metrics.set_certificate_expiry(std::chrono::system_clock::time_point(std::chrono::seconds(1000)));
  metrics.set_configuration_reloaded(false);
  metrics.set_dropped_log_lines(7);
  const std::string text = metrics.text();
  CHECK(text.find("tfjob_webhook_certificate_expiry_timestamp_seconds 1000\n") !=
        std::string::npos);
  CHECK(text.find("tfjob_webhook_configuration_last_reload_successful 0\n") != std::string::npos);
  CHECK(text.find("tfjob_webhook_log_lines_dropped 7\n") != std::string::npos);
  CHECK(text.find("tfjob_webhook_build_info{version=") != std::string::npos);
}
