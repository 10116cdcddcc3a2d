#include "enforcer/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "exit_codes/code_set.h"
#include "webhook/version.h"

namespace enforcer {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;
using prometheus::Histogram;

/// Seconds.
const Histogram::BucketBoundaries kTimes{0.005, 0.01, 0.025, 0.05, 0.1,  0.25,
                                         0.5,   1.0,  2.5,   5.0,  10.0, 30.0};

}  // namespace

struct Metrics::Impl {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& verdicts =
      BuildCounter()
          .Name("tfjob_enforcer_verdicts_total")
          .Help("Failed pods by kind of job, exit code (none, other: over 255) and what followed")
          .Register(registry);
  prometheus::Family<prometheus::Counter>& api_errors =
      BuildCounter()
          .Name("tfjob_enforcer_api_errors_total")
          .Help("Calls of the API server that failed, conflicts apart")
          .Register(registry);
  Histogram& delay = BuildHistogram()
                         .Name("tfjob_enforcer_verdict_delay_seconds")
                         .Help("From the container's end (whole seconds) to the verdict")
                         .Register(registry)
                         .Add({}, kTimes);
  Histogram& reaction = BuildHistogram()
                            .Name("tfjob_enforcer_reaction_seconds")
                            .Help("From when the watch told of a failed pod to the verdict")
                            .Register(registry)
                            .Add({}, kTimes);
  prometheus::Counter& refused = counter("tfjob_enforcer_releases_refused_total",
                                         "Times that the finalizer of a pod could not be removed");
  prometheus::Counter& removed = counter("tfjob_enforcer_pods_removed_total",
                                         "Pods removed that the operator made for a failed job");
  prometheus::Gauge& depth = gauge("tfjob_enforcer_queue_depth", "Jobs that wait to be looked at");
  prometheus::Gauge& pods = gauge("tfjob_enforcer_pods", "Pods of jobs that are watched");
  prometheus::Gauge& held = gauge("tfjob_enforcer_pods_held", "Pods with the finalizer");
  prometheus::Gauge& leader = gauge("tfjob_enforcer_leader", "1: this process leads");
  prometheus::Gauge& events_dropped =
      gauge("tfjob_enforcer_events_dropped", "Events that were not recorded: too many at once");
  prometheus::Gauge& lines_dropped = gauge("tfjob_enforcer_log_lines_dropped",
                                           "Log lines lost because standard error was too slow");
  prometheus::Gauge& reloaded =
      gauge("tfjob_enforcer_configuration_last_reload_successful",
            "1: the configuration on disk is in use; 0: it is bad and the one before is in use");

  Impl() {
    BuildGauge()
        .Name("tfjob_enforcer_build_info")
        .Help("1, with the version")
        .Register(registry)
        .Add({{"version", std::string(webhook::kVersion)}})
        .Set(1);
  }

  prometheus::Counter& counter(const char* name, const char* help) {
    return BuildCounter().Name(name).Help(help).Register(registry).Add({});
  }
  prometheus::Gauge& gauge(const char* name, const char* help) {
    return BuildGauge().Name(name).Help(help).Register(registry).Add({});
  }
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

void Metrics::count_verdict(std::string_view kind, std::optional<std::int64_t> code,
                            std::string_view action) {
  // Labels come from a small set, whatever containers end with.
  std::string text = "none";
  if (code) text = *code < 0 || *code > exit_codes::kMaxCode ? "other" : std::to_string(*code);
  impl_->verdicts
      .Add({{"kind", std::string(kind)}, {"code", text}, {"action", std::string(action)}})
      .Increment();
}

void Metrics::observe_delay(std::chrono::duration<double> since_end,
                            std::chrono::duration<double> since_seen) {
  impl_->delay.Observe(since_end.count());
  observe_reaction(since_seen);
}

void Metrics::observe_reaction(std::chrono::duration<double> since_seen) {
  impl_->reaction.Observe(since_seen.count());
}

void Metrics::count_refused_release() { impl_->refused.Increment(); }
void Metrics::count_removed_pod() { impl_->removed.Increment(); }

void Metrics::count_api_error(std::string_view call) {
  impl_->api_errors.Add({{"call", std::string(call)}}).Increment();
}

void Metrics::set_queue_depth(std::size_t jobs) { impl_->depth.Set(static_cast<double>(jobs)); }
void Metrics::set_pods(std::size_t all, std::size_t held) {
  impl_->pods.Set(static_cast<double>(all));
  impl_->held.Set(static_cast<double>(held));
}
void Metrics::set_leader(bool leads) { impl_->leader.Set(leads ? 1 : 0); }
void Metrics::set_dropped(std::size_t events, std::size_t log_lines) {
  impl_->events_dropped.Set(static_cast<double>(events));
  impl_->lines_dropped.Set(static_cast<double>(log_lines));
}
void Metrics::set_configuration_reloaded(bool successful) {
  impl_->reloaded.Set(successful ? 1 : 0);
}

std::string Metrics::text() const {
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace enforcer
