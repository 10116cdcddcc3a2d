#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "admission/settings.h"
#include "enforcer/controller.h"
#include "enforcer/event_recorder.h"
#include "enforcer/failed_jobs.h"
#include "enforcer/metrics.h"
#include "enforcer/pod_store.h"
#include "enforcer/reporter.h"
#include "http/address.h"
#include "http/server.h"
#include "kube/client.h"
#include "kube/lease.h"
#include "webhook/log.h"
#include "webhook/reloader.h"
#include "webhook/snapshot.h"

namespace enforcer {

/// What `enforce` is told on its command line.
struct EnforceOptions {
  std::filesystem::path kubeconfig;  ///< empty: see kube::find_credentials
  std::string context;
  std::optional<std::filesystem::path> configuration;  ///< none: the defaults of Settings
  std::string name_space;                              ///< empty: all
  unsigned workers = 4;
  double per_second = 100;  ///< calls of the API server, Events and the Lease apart
  int burst = 200;
  bool dry_run = false;
  http::Address operations{.host = {}, .port = 8080};
  std::chrono::milliseconds reload_interval{500};
  bool leader_elect = true;
  kube::ElectionOptions election;  ///< an empty namespace: the credentials'
  webhook::LogFormat log_format = webhook::LogFormat::json;
  webhook::LogLevel log_level = webhook::LogLevel::info;
};

/// Why the enforcer cannot start.
struct StartError {
  enum class Kind {
    usage,  ///< flags, or an address that cannot be bound
    file    ///< configuration, credentials, or the API server does not let it in
  };
  Kind kind;
  std::string message;
};

/// A client with the credentials that `options` name.
[[nodiscard]] std::expected<std::unique_ptr<kube::Client>, std::string> make_client(
    const EnforceOptions& options, kube::ClientOptions client);

/// The enforcer as it runs.
class Application {
 public:
  /// Reads the files, asks the API server once, and begins to watch, in threads of its own.
  /// `on_lost` is called in one of them if the lease is lost: the process has to end then.
  [[nodiscard]] static std::expected<std::unique_ptr<Application>, StartError> start(
      const EnforceOptions& given, std::function<void()> on_lost);

  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  /// Finishes what is being written, then lets the lease go.
  void shut_down();

  [[nodiscard]] bool lost() const noexcept { return lost_; }
  [[nodiscard]] std::uint16_t operations_port() const noexcept { return operations_port_; }

 private:
  struct Clients {
    std::unique_ptr<kube::Client> calls;
    std::unique_ptr<kube::Client> watch;
    std::unique_ptr<kube::Client> events;
    std::unique_ptr<kube::Client> lease;
  };

  Application(const EnforceOptions& options, Clients clients,
              std::shared_ptr<const admission::Settings> settings, std::function<void()> on_lost);

  void elect(const std::stop_token& stop);
  void lead();
  void reload_settings();
  [[nodiscard]] std::string why_not_ready() const;
  [[nodiscard]] std::string metrics_text();

  EnforceOptions options_;
  Clients clients_;
  std::function<void()> on_lost_;
  webhook::Log log_;
  Metrics metrics_;
  webhook::Snapshot<admission::Settings> settings_;
  PodStore pods_;
  FailedJobs failed_;
  EventRecorder events_;
  Reporter reporter_;
  Controller controller_;
  http::Server operations_;
  std::uint16_t operations_port_ = 0;
  std::atomic<bool> draining_ = false;
  std::atomic<bool> lost_ = false;
  std::thread operations_thread_;
  std::jthread election_;
  std::optional<webhook::Reloader> reloader_;  // last: it uses the others
};

}  // namespace enforcer
