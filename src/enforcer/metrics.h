#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace enforcer {

/// The enforcer's metrics, in Prometheus' terms. Safe for use from many threads.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// A verdict: of which kind of job, by which code (nullopt: none), and what followed.
  void count_verdict(std::string_view kind, std::optional<std::int64_t> code,
                     std::string_view action);
  /// From the container's end, which is told in whole seconds, and from when the watch told of it.
  void observe_delay(std::chrono::duration<double> since_end,
                     std::chrono::duration<double> since_seen);
  void observe_reaction(std::chrono::duration<double> since_seen);
  void count_refused_release();
  void count_removed_pod();
  void count_api_error(std::string_view call);

  void set_queue_depth(std::size_t jobs);
  void set_pods(std::size_t all, std::size_t held);
  void set_leader(bool leads);
  void set_dropped(std::size_t events, std::size_t log_lines);
  void set_configuration_reloaded(bool successful);

  /// All of it in the text exposition format 0.0.4.
  [[nodiscard]] std::string text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace enforcer
