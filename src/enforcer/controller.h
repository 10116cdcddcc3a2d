#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "enforcer/reconciler.h"
#include "enforcer/work_queue.h"

namespace enforcer {

/// How a controller works.
struct ControllerOptions {
  std::string name_space;  ///< empty: all
  unsigned workers = 4;
};

/// Watches pods and, while it leads, hands their jobs to workers. Before it leads it only watches,
/// and remembers the pods that failed lately: so a new leader misses nothing that happened while
/// there was none.
class Controller {
 public:
  /// How long a pod that has vanished is remembered while another process leads: twice the time
  /// that a new leader is found in.
  static constexpr std::chrono::seconds kRemembered{40};

  /// `parts` as of a Reconciler; `watch_api` serves the watch alone. All must outlive it.
  Controller(ReconcilerParts parts, kube::Api& watch_api, ControllerOptions options,
             std::function<void(const kube::Error&, std::chrono::milliseconds)> on_watch_error);
  /// Ends what runs.
  ~Controller();
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  /// Begins to watch.
  void start();
  /// Begins to act. To be called once.
  void lead();
  /// Looks at every job again: the configuration has changed.
  void review_all();
  void stop();

  /// Whether the pods have been listed once.
  [[nodiscard]] bool synced() const noexcept { return synced_; }
  [[nodiscard]] std::size_t queue_depth() const { return queue_.size(); }

 private:
  using Done = std::expected<std::optional<std::chrono::milliseconds>, kube::Error>;

  Done reconcile(const JobRef& job);
  void watch(const std::stop_token& stop);
  void work(const std::stop_token& stop);
  void look_at(const WatchedPod& pod);
  /// Takes over what an earlier leader has failed: the operator may have left pods of it.
  void recall_failed_jobs(const std::stop_token& stop);

  ReconcilerParts parts_;
  Reconciler reconciler_;
  kube::Api& watch_api_;
  ControllerOptions options_;
  std::function<void(const kube::Error&, std::chrono::milliseconds)> on_watch_error_;
  WorkQueue queue_;
  std::atomic<bool> synced_ = false;
  std::atomic<bool> leads_ = false;
  PodStore::Clock::time_point forgot_at_{};  // of the watching thread
  std::mutex mutex_;                         // of the two below
  bool stopped_ = false;
  std::vector<std::jthread> threads_;  // last: they use the others
};

}  // namespace enforcer
