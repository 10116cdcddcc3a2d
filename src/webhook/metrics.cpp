#include "webhook/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "jobs/kind.h"
#include "webhook/version.h"

namespace webhook {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

/// Seconds: a small review takes some ten microseconds, the API server waits five seconds.
const Histogram::BucketBoundaries kDurations{0.00001, 0.000025, 0.00005, 0.0001, 0.00025,
                                             0.0005,  0.001,    0.0025,  0.005,  0.01,
                                             0.05,    0.1,      0.5,     1.0,    5.0};

std::string operation_label(std::string_view name) {
  for (const std::string_view known : {"CREATE", "UPDATE", "DELETE", "CONNECT"}) {
    if (name == known) return std::string(name);
  }
  return "other";
}

std::string kind_label(const admission::Review& review) {
  const bool ours = jobs::find_kind(review.group, review.version, review.kind) != nullptr;
  return ours ? std::string(review.kind) : "other";
}

Family<Counter>& counters(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help,
             const prometheus::Labels& labels = {}) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add(labels);
}

}  // namespace

struct Metrics::Impl {
  prometheus::Registry registry;
  Family<Counter>& reviews =
      counters(registry, "tfjob_webhook_reviews_total",
               "AdmissionReviews answered, by endpoint, kind, operation and outcome.");
  Family<Counter>& findings = counters(registry, "tfjob_webhook_findings_total",
                                       "Findings, by rule and severity (denied or warned).");
  Family<Counter>& malformed =
      counters(registry, "tfjob_webhook_malformed_requests_total",
               "Request bodies that were no AdmissionReview, by endpoint.");
  Family<Histogram>& durations =
      prometheus::BuildHistogram()
          .Name("tfjob_webhook_review_duration_seconds")
          .Help("Time from a review's bytes to its answer's, without network and TLS.")
          .Register(registry);
  Gauge& certificate_expiry =
      gauge(registry, "tfjob_webhook_certificate_expiry_timestamp_seconds",
            "When the certificate that is served expires, in seconds since the epoch.");
  Gauge& certificate_reloaded =
      gauge(registry, "tfjob_webhook_certificate_last_reload_successful",
            "1 if the pair on disk is the one that is served, 0 if it is bad and was not taken.");
  Gauge& configuration_reloaded =
      gauge(registry, "tfjob_webhook_configuration_last_reload_successful",
            "1 if the configuration file on disk holds, 0 if it is bad and was not taken.");
  Gauge& dropped_log_lines = gauge(registry, "tfjob_webhook_log_lines_dropped",
                                   "Log lines lost because the log's reader was too slow.");
  Gauge& build_info =
      gauge(registry, "tfjob_webhook_build_info", "Always 1; the label tells the version.",
            {{"version", std::string(kVersion)}});
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) { impl_->build_info.Set(1); }
Metrics::~Metrics() = default;

void Metrics::count(const admission::Review& review, admission::Endpoint endpoint,
                    const admission::Decision& decision, std::chrono::nanoseconds duration) {
  const std::string endpoint_label(admission::to_string(endpoint));
  impl_->reviews
      .Add({{"endpoint", endpoint_label},
            {"kind", kind_label(review)},
            {"operation", operation_label(review.operation_name)},
            {"outcome", std::string(admission::to_string(decision.outcome))}})
      .Increment();
  for (const jobs::Finding& finding : decision.findings) {
    impl_->findings
        .Add({{"rule", std::string(finding.rule)},
              {"severity", finding.severity == jobs::Severity::denied ? "denied" : "warned"}})
        .Increment();
  }
  impl_->durations.Add({{"endpoint", endpoint_label}}, kDurations)
      .Observe(std::chrono::duration<double>(duration).count());
}

void Metrics::count_malformed(admission::Endpoint endpoint) {
  impl_->malformed.Add({{"endpoint", std::string(admission::to_string(endpoint))}}).Increment();
}

void Metrics::set_certificate_expiry(std::chrono::system_clock::time_point not_after) {
  impl_->certificate_expiry.Set(
      std::chrono::duration<double>(not_after.time_since_epoch()).count());
}

void Metrics::set_certificate_reloaded(bool successful) {
  impl_->certificate_reloaded.Set(successful ? 1 : 0);
}

void Metrics::set_configuration_reloaded(bool successful) {
  impl_->configuration_reloaded.Set(successful ? 1 : 0);
}

void Metrics::set_dropped_log_lines(std::size_t lines) {
  impl_->dropped_log_lines.Set(static_cast<double>(lines));
}

std::string Metrics::text() const {
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace webhook
