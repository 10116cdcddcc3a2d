#include "webhook/metrics.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

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

constexpr std::array<std::string_view, 5> kOperations{"CREATE", "UPDATE", "DELETE", "CONNECT",
                                                      "other"};
constexpr std::array kEndpoints{admission::Endpoint::mutate, admission::Endpoint::validate};
constexpr std::array kOutcomes{admission::Outcome::ignored,   admission::Outcome::allowed,
                               admission::Outcome::ratcheted, admission::Outcome::warned,
                               admission::Outcome::audited,   admission::Outcome::denied};

std::size_t operation_index(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name);
  return static_cast<std::size_t>(std::min(found, kOperations.end() - 1) - kOperations.begin());
}

/// The row of the table of kinds; behind the last one for kinds that are not ours.
std::size_t kind_index(const admission::Review& review) {
  const jobs::Kind* const kind = jobs::find_kind(review.group, review.version, review.kind);
  return kind == nullptr ? jobs::kinds().size()
                         : static_cast<std::size_t>(kind - jobs::kinds().data());
}

std::string kind_label(std::size_t index) {
  return index < jobs::kinds().size() ? std::string(jobs::kinds()[index].name) : "other";
}

Family<Counter>& counters(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help,
             const prometheus::Labels& labels = {}) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add(labels);
}

}  // namespace

/// The counters of reviews, found without a look-up by labels; each is made when it is first
/// needed.
class ReviewCounters {
 public:
  explicit ReviewCounters(Family<Counter>& family)
      : family_(family),
        counters_(kEndpoints.size() * (jobs::kinds().size() + 1) * kOperations.size() *
                  kOutcomes.size()) {}

  Counter& find(admission::Endpoint endpoint, const admission::Review& review,
                admission::Outcome outcome) {
    const std::size_t kind = kind_index(review);
    const std::size_t operation = operation_index(review.operation_name);
    auto index = static_cast<std::size_t>(endpoint);
    index = index * (jobs::kinds().size() + 1) + kind;
    index = index * kOperations.size() + operation;
    index = index * kOutcomes.size() + static_cast<std::size_t>(outcome);
    std::atomic<Counter*>& place = counters_.at(index);
    Counter* counter = place.load(std::memory_order_acquire);
    if (counter == nullptr) {
      // Two threads that come here at once get the same one.
      counter = &family_.Add({{"endpoint", std::string(admission::to_string(endpoint))},
                              {"kind", kind_label(kind)},
                              {"operation", std::string(kOperations.at(operation))},
                              {"outcome", std::string(admission::to_string(outcome))}});
      place.store(counter, std::memory_order_release);
    }
    return *counter;
  }

 private:
  Family<Counter>& family_;
  std::vector<std::atomic<Counter*>> counters_;
};

/// The counters of findings, by rule and severity; each is made when it is first needed.
class FindingCounters {
 public:
  explicit FindingCounters(Family<Counter>& family) : family_(family) {}

  Counter& find(const jobs::Finding& finding) {
    const std::lock_guard lock(mutex_);
    Counter*& counter = counters_[{finding.rule, finding.severity}];
    if (counter == nullptr) {
      counter = &family_.Add(
          {{"rule", std::string(finding.rule)},
           {"severity", finding.severity == jobs::Severity::denied ? "denied" : "warned"}});
    }
    return *counter;
  }

 private:
  Family<Counter>& family_;
  std::mutex mutex_;
  std::map<std::pair<std::string_view, jobs::Severity>, Counter*> counters_;  // rules are static
};

struct Metrics::Impl {
  prometheus::Registry registry;
  Family<Counter>& reviews =
      counters(registry, "tfjob_webhook_reviews_total",
               "AdmissionReviews answered, by endpoint, kind, operation and outcome.");
  ReviewCounters review_counters{reviews};
  Family<Counter>& findings = counters(registry, "tfjob_webhook_findings_total",
                                       "Findings, by rule and severity (denied or warned).");
  FindingCounters finding_counters{findings};
  Family<Counter>& malformed =
      counters(registry, "tfjob_webhook_malformed_requests_total",
               "Request bodies that were no AdmissionReview, by endpoint.");
  Family<Histogram>& durations =
      prometheus::BuildHistogram()
          .Name("tfjob_webhook_review_duration_seconds")
          .Help("Time from a review's bytes to its answer's, without network and TLS.")
          .Register(registry);
  Histogram& mutate_duration = durations.Add({{"endpoint", "mutate"}}, kDurations);
  Histogram& validate_duration = durations.Add({{"endpoint", "validate"}}, kDurations);
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
  Family<Gauge>& connections = prometheus::BuildGauge()
                                   .Name("tfjob_webhook_connections")
                                   .Help("Open connections of the port for reviews, by loop.")
                                   .Register(registry);
  Gauge& build_info =
      gauge(registry, "tfjob_webhook_build_info", "Always 1; the label tells the version.",
            {{"version", std::string(kVersion)}});
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) { impl_->build_info.Set(1); }
Metrics::~Metrics() = default;

void Metrics::count(const admission::Review& review, admission::Endpoint endpoint,
                    const admission::Decision& decision, std::chrono::nanoseconds duration) {
  impl_->review_counters.find(endpoint, review, decision.outcome).Increment();
  for (const jobs::Finding& finding : decision.findings) {
    impl_->finding_counters.find(finding).Increment();
  }
  Histogram& histogram =
      endpoint == admission::Endpoint::mutate ? impl_->mutate_duration : impl_->validate_duration;
  histogram.Observe(std::chrono::duration<double>(duration).count());
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

void Metrics::set_connections(const std::vector<std::size_t>& by_loop) {
  for (std::size_t i = 0; i < by_loop.size(); ++i) {
    impl_->connections.Add({{"loop", std::to_string(i)}}).Set(static_cast<double>(by_loop[i]));
  }
}

std::string Metrics::text() const {
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace webhook
