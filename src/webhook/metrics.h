#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "admission/decide.h"
#include "admission/decision.h"
#include "admission/review.h"

namespace webhook {

/// The program's metrics, in Prometheus' terms. Safe for use from many threads.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// Counts a review, its findings and how long it took. Kinds that are not ours count as "other":
  /// labels come from a small set, whatever clients send.
  void count(const admission::Review& review, admission::Endpoint endpoint,
             const admission::Decision& decision, std::chrono::nanoseconds duration);
  /// Counts a body that was no review.
  void count_malformed(admission::Endpoint endpoint);

  void set_certificate_expiry(std::chrono::system_clock::time_point not_after);
  void set_certificate_reloaded(bool successful);
  void set_configuration_reloaded(bool successful);
  void set_dropped_log_lines(std::size_t lines);
  /// Open connections of the port that reviews come to, by loop.
  void set_connections(const std::vector<std::size_t>& by_loop);

  /// All of it in the text exposition format 0.0.4.
  [[nodiscard]] std::string text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The media type of `Metrics::text`.
inline constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace webhook
