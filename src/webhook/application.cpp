#include "webhook/application.h"

#include <string_view>
#include <utility>
#include <vector>

#include "http/certificate.h"
#include "http/rfc3339.h"
#include "webhook/observer.h"
#include "webhook/settings_file.h"
#include "webhook/version.h"

namespace webhook {
namespace {

/// A certificate that ends within this time is told of as a warning.
constexpr std::chrono::hours kSoon{7 * 24};

http::ServerOptions server_options(const http::Address& address, const http::Limits& limits,
                                   std::vector<http::Route> routes, Log& log) {
  http::ServerOptions options;
  options.host = address.host;
  options.port = address.port;
  options.limits = limits;
  options.routes = std::move(routes);
  options.observer = observer(log);
  return options;
}

http::ServerOptions reviews_options(const ServeOptions& serve, const ReviewHandler& handler,
                                    http::TlsSource tls, Log& log) {
  http::ServerOptions options =
      server_options(serve.reviews, serve.limits, review_routes(handler), log);
  options.tls = std::move(tls);
  options.client_names = serve.client_names;
  options.loops = serve.loops;
  return options;
}

http::ServerOptions operations_options(const ServeOptions& serve, std::vector<http::Route> routes,
                                       Log& log) {
  http::ServerOptions options =
      server_options(serve.operations, serve.limits, std::move(routes), log);
  // Probes and scrapes are few.
  options.loops = 1;
  return options;
}

}  // namespace

Application::Application(const ServeOptions& options,
                         std::shared_ptr<const admission::Settings> settings,
                         std::shared_ptr<const ServingPair> pair)
    : options_(options),
      log_(options.log_format, options.log_level),
      settings_(std::move(settings)),
      pair_(std::move(pair)),
      health_{.pair = pair_},
      handler_(settings_, metrics_, log_),
      reviews_(reviews_options(
          options, handler_, [this] { return pair_.get()->context; }, log_)),
      operations_(operations_options(options,
                                     operations_routes([this] { return why_not_ready(health_); },
                                                       [this] {
                                                         update_metrics();
                                                         return metrics_.text();
                                                       }),
                                     log_)) {
  metrics_.set_certificate_expiry(pair_.get()->not_after);
  metrics_.set_certificate_reloaded(true);
  metrics_.set_configuration_reloaded(true);
}

Application::~Application() { shut_down(); }

std::expected<std::unique_ptr<Application>, StartError> Application::start(
    const ServeOptions& options) {
  auto settings = load_settings(options.configuration);
  if (!settings) return std::unexpected(StartError{StartError::Kind::file, settings.error()});
  auto pair = load_serving_pair(options.certificates, options.client_ca);
  if (!pair) return std::unexpected(StartError{StartError::Kind::file, pair.error()});

  // The constructor is private, so that nothing half-started can be had.
  std::unique_ptr<Application> app(
      new Application(options, std::move(*settings), std::move(*pair)));
  const auto reviews_port = app->listen(app->reviews_, "--bind-address");
  if (!reviews_port) return std::unexpected(reviews_port.error());
  const auto operations_port = app->listen(app->operations_, "--metrics-bind-address");
  if (!operations_port) return std::unexpected(operations_port.error());
  app->reviews_port_ = *reviews_port;
  app->operations_port_ = *operations_port;

  app->start_reloading();
  app->reviews_thread_ = std::thread([&server = app->reviews_] { server.run(); });
  app->operations_thread_ = std::thread([&server = app->operations_] { server.run(); });
  const std::string https =
      http::to_string({.host = options.reviews.host, .port = app->reviews_port_});
  const std::string http =
      http::to_string({.host = options.operations.host, .port = app->operations_port_});
  app->log_.write(LogLevel::info, "serving",
                  {{"version", kVersion}, {"https", https}, {"http", http}});
  app->log_certificate("certificate loaded");
  return app;
}

std::expected<std::uint16_t, StartError> Application::listen(http::Server& server,
                                                             const char* flag) {
  auto port = server.listen();
  if (!port) {
    return std::unexpected(
        StartError{StartError::Kind::address, std::string(flag) + ": " + port.error()});
  }
  return *port;
}

void Application::start_reloading() {
  std::vector<std::filesystem::path> pair{options_.certificates / http::kCertificateFile,
                                          options_.certificates / http::kKeyFile};
  if (options_.client_ca) pair.push_back(*options_.client_ca);
  std::vector<WatchedFiles> files{
      {.paths = std::move(pair), .on_change = [this] { reload_pair(); }}};
  if (options_.configuration) {
    files.push_back(
        {.paths = {*options_.configuration}, .on_change = [this] { reload_settings(); }});
  }
  reloader_.emplace(std::move(files), options_.reload_interval);
}

void Application::update_metrics() {
  metrics_.set_dropped_log_lines(log_.dropped());
  metrics_.set_connections(reviews_.connections_by_loop());
}

void Application::reload_pair() {
  auto pair = load_serving_pair(options_.certificates, options_.client_ca);
  metrics_.set_certificate_reloaded(pair.has_value());
  if (!pair) {
    log_.write(LogLevel::error, "certificate not reloaded, the old one stays",
               {{"error", pair.error()}});
    return;
  }
  metrics_.set_certificate_expiry((*pair)->not_after);
  pair_.set(std::move(*pair));
  log_certificate("certificate reloaded");
}

void Application::log_certificate(std::string_view message) {
  const auto not_after = pair_.get()->not_after;
  const std::string expires = http::rfc3339(not_after);
  const bool soon = not_after - std::chrono::system_clock::now() < kSoon;
  log_.write(soon ? LogLevel::warn : LogLevel::info, message, {{"expires", expires}});
}

void Application::reload_settings() {
  auto settings = load_settings(options_.configuration);
  metrics_.set_configuration_reloaded(settings.has_value());
  if (!settings) {
    log_.write(LogLevel::error, "configuration not reloaded, the old one stays",
               {{"error", settings.error()}});
    return;
  }
  settings_.set(std::move(*settings));
  log_.write(LogLevel::info, "configuration reloaded");
}

void Application::drain() {
  health_.draining = true;
  log_.write(LogLevel::info, "draining");
  reviews_.drain();
}

void Application::shut_down() {
  if (!reviews_thread_.joinable()) return;
  reloader_.reset();
  health_.draining = true;
  reviews_.stop();
  reviews_thread_.join();
  // Probes and metrics answer until the last review has.
  operations_.stop();
  operations_thread_.join();
  log_.write(LogLevel::info, "stopped");
}

}  // namespace webhook
