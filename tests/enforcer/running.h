#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "enforcer/controller.h"
#include "enforcer/event_recorder.h"
#include "enforcer/failed_jobs.h"
#include "enforcer/metrics.h"
#include "enforcer/pod_store.h"
#include "enforcer/reporter.h"
#include "tests/support/fake_cluster.h"

namespace enforcer_test {

/// What a reconciler works with, around a cluster in memory.
class Parts {
 public:
  explicit Parts(bool dry_run = false)
      : dry_run_(dry_run),
        events_(
            std::make_unique<enforcer::EventRecorder>(cluster, "test", [](const kube::Error&) {})),
        reporter_(*events_, metrics, log_, dry_run) {}

  [[nodiscard]] enforcer::ReconcilerParts parts() {
    return {.api = cluster,
            .pods = pods,
            .failed = failed,
            .reporter = reporter_,
            .settings = [this] { return std::make_shared<admission::Settings>(settings); },
            .dry_run = dry_run_};
  }

  /// Stores a pod, and shows it as the watch would.
  void show(const nlohmann::json& pod) {
    const nlohmann::json& metadata = pod["metadata"];
    pods.update(cluster.put(path(metadata), pod));
  }
  /// A pod is gone, for the cluster and for the watch.
  void vanish(const nlohmann::json& pod) {
    cluster.remove(path(pod["metadata"]));
    pods.remove(pod, enforcer::PodStore::Clock::now());
  }

  /// "REASON KIND/NAME: MESSAGE" of each Event so far, once all are recorded.
  [[nodiscard]] std::vector<std::string> events() {
    events_.reset();
    std::vector<std::string> found;
    for (const nlohmann::json& event : cluster.all("/api/v1/events")) {
      const nlohmann::json& about = event["involvedObject"];
      found.push_back(event.value("reason", "") + " " + about.value("kind", "") + "/" +
                      about.value("name", "") + ": " + event.value("message", ""));
    }
    std::ranges::sort(found);
    return found;
  }

  support::FakeCluster cluster;
  enforcer::PodStore pods;
  enforcer::FailedJobs failed;
  enforcer::Metrics metrics;
  admission::Settings settings;

 private:
  static std::string path(const nlohmann::json& metadata) {
    return "/api/v1/namespaces/" + metadata.value("namespace", "") + "/pods/" +
           metadata.value("name", "");
  }

  bool dry_run_;
  webhook::Log log_{webhook::LogFormat::text, webhook::LogLevel::error};
  std::unique_ptr<enforcer::EventRecorder> events_;
  enforcer::Reporter reporter_;
};

/// Waits until `condition` holds, for a few seconds at most; whether it does.
inline bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace enforcer_test
