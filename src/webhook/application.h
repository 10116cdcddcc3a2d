#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "admission/settings.h"
#include "http/address.h"
#include "http/limits.h"
#include "http/server.h"
#include "webhook/log.h"
#include "webhook/metrics.h"
#include "webhook/reloader.h"
#include "webhook/review_handler.h"
#include "webhook/routes.h"
#include "webhook/serving_pair.h"
#include "webhook/snapshot.h"

namespace webhook {

/// What `serve` is told on its command line.
struct ServeOptions {
  std::filesystem::path certificates;  ///< folder with tls.crt and tls.key
  http::Address reviews{.host = {}, .port = 8443};
  http::Address operations{.host = {}, .port = 8080};
  std::optional<std::filesystem::path> configuration;  ///< none: the defaults of Settings
  std::optional<std::filesystem::path> client_ca;  ///< authorities of the clients; none: any client
  std::vector<std::string> client_names;           ///< of their certificates; empty: any
  http::Limits limits;
  unsigned loops = 0;  ///< that answer reviews; 0: as many as there are processors
  /// How often the files are looked at for a change.
  std::chrono::milliseconds reload_interval{500};
  LogFormat log_format = LogFormat::json;
  LogLevel log_level = LogLevel::info;
};

/// Why a server cannot start.
struct StartError {
  enum class Kind {
    address,  ///< an address cannot be bound
    file      ///< configuration or certificate
  };
  Kind kind;
  std::string message;  ///< for people; several lines if several things are wrong
};

/// The webhook as it runs: both listeners, and what they share.
class Application {
 public:
  /// Reads the files, binds both addresses and begins to serve, in threads of its own.
  [[nodiscard]] static std::expected<std::unique_ptr<Application>, StartError> start(
      const ServeOptions& options);

  /// Stops, if `shut_down` did not.
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  [[nodiscard]] std::uint16_t reviews_port() const noexcept { return reviews_port_; }
  [[nodiscard]] std::uint16_t operations_port() const noexcept { return operations_port_; }
  [[nodiscard]] Log& log() noexcept { return log_; }

  /// Not ready from now on; still serves, but every reply ends its connection.
  void drain();

  /// Finishes what is in flight and stops serving.
  void shut_down();

 private:
  Application(const ServeOptions& options, std::shared_ptr<const admission::Settings> settings,
              std::shared_ptr<const ServingPair> pair);

  /// Sets what is looked at only when metrics are asked for.
  void update_metrics();
  /// Watches the files from now on.
  void start_reloading();
  /// Takes a changed pair, or keeps the old one and says so.
  void reload_pair();
  /// Tells when the certificate that is served ends.
  void log_certificate(std::string_view message);
  /// Takes a changed configuration, or keeps the old one and says so.
  void reload_settings();

  /// Binds `server`; the error names the flag.
  std::expected<std::uint16_t, StartError> listen(http::Server& server, const char* flag);

  ServeOptions options_;
  Log log_;
  Metrics metrics_;
  Snapshot<admission::Settings> settings_;
  Snapshot<ServingPair> pair_;
  Health health_;
  ReviewHandler handler_;
  http::Server reviews_;
  http::Server operations_;
  std::uint16_t reviews_port_ = 0;
  std::uint16_t operations_port_ = 0;
  std::thread reviews_thread_;
  std::thread operations_thread_;
  std::optional<Reloader> reloader_;  // last: it uses the others
};

}  // namespace webhook
