#include "enforcer/application.h"

#include <array>
#include <cstdio>
#include <functional>
#include <random>
#include <utility>

#include <unistd.h>

#include "kube/kubeconfig.h"
#include "kube/path.h"
#include "webhook/observer.h"
#include "webhook/routes.h"
#include "webhook/settings_file.h"
#include "webhook/version.h"

namespace enforcer {
namespace {

using webhook::LogLevel;

/// Who this process is: no other has the same.
std::string own_identity() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  std::array<char, 24> suffix{};
  std::random_device random;
  std::snprintf(suffix.data(), suffix.size(), "_%08x%08x", random(), random());
  return std::string(host.data()) + suffix.data();
}

kube::ClientOptions client_options(double per_second, int burst) {
  kube::ClientOptions options;
  options.per_second = per_second;
  options.burst = burst;
  options.user_agent = "tfjob-enforcer/" + std::string(webhook::kVersion);
  return options;
}

http::ServerOptions server_options(const EnforceOptions& enforce, std::vector<http::Route> routes,
                                   webhook::Log& log) {
  http::ServerOptions options;
  options.host = enforce.operations.host;
  options.port = enforce.operations.port;
  options.routes = std::move(routes);
  options.observer = webhook::observer(log);
  // Probes and scrapes are few.
  options.loops = 1;
  return options;
}

}  // namespace

std::expected<std::unique_ptr<kube::Client>, std::string> make_client(const EnforceOptions& options,
                                                                      kube::ClientOptions client) {
  auto credentials = kube::find_credentials(options.kubeconfig, options.context);
  if (!credentials) return std::unexpected(credentials.error());
  return kube::Client::make(std::move(*credentials), std::move(client));
}

Application::Application(const EnforceOptions& options, Clients clients,
                         std::shared_ptr<const admission::Settings> settings,
                         std::function<void()> on_lost)
    : options_(options),
      clients_(std::move(clients)),
      on_lost_(std::move(on_lost)),
      log_(options.log_format, options.log_level),
      settings_(std::move(settings)),
      events_(*clients_.events, options.election.identity,
              // Not through the reporter, which ends before.
              [this](const kube::Error& error) {
                metrics_.count_api_error("event");
                const std::string why = kube::to_string(error);
                log_.write(LogLevel::warn, "Event not recorded", {{"error", why}});
              }),
      reporter_(events_, metrics_, log_, options.dry_run),
      controller_({.api = *clients_.calls,
                   .pods = pods_,
                   .failed = failed_,
                   .reporter = reporter_,
                   .settings = [this] { return settings_.get(); },
                   .dry_run = options.dry_run},
                  *clients_.watch, {.name_space = options.name_space, .workers = options.workers},
                  [this](const kube::Error& error, std::chrono::milliseconds) {
                    reporter_.api_error("watch pods", error);
                  }),
      operations_(server_options(options,
                                 webhook::operations_routes([this] { return why_not_ready(); },
                                                            [this] { return metrics_text(); }),
                                 log_)) {
  metrics_.set_configuration_reloaded(true);
}

Application::~Application() { shut_down(); }

std::expected<std::unique_ptr<Application>, StartError> Application::start(
    const EnforceOptions& given, std::function<void()> on_lost) {
  using Kind = StartError::Kind;
  const auto fail = [](Kind kind, std::string message) {
    return std::unexpected(StartError{kind, std::move(message)});
  };
  auto settings = webhook::load_settings(given.configuration);
  if (!settings) return fail(Kind::file, settings.error());
  if (given.dry_run && (*settings)->evidence == admission::Evidence::finalizer) {
    return fail(Kind::usage,
                "--dry-run releases no pod, but 'evidence: finalizer' holds them: set 'evidence: "
                "none' first");
  }
  EnforceOptions options = given;
  const auto credentials = kube::find_credentials(options.kubeconfig, options.context);
  if (!credentials) return fail(Kind::file, credentials.error());
  if (options.election.name_space.empty()) options.election.name_space = credentials->name_space;
  options.election.identity = own_identity();

  Clients clients;
  kube::ClientOptions lease = client_options(options.per_second, options.burst);
  // Two attempts without an answer, and a leader gives up before another one leads.
  lease.timeout = options.election.renew_deadline / 2;
  const std::pair<std::unique_ptr<kube::Client>&, kube::ClientOptions> wanted[] = {
      {clients.calls, client_options(options.per_second, options.burst)},
      // Lists and the watch are not to wait for verdicts, and verdicts not for Events.
      {clients.watch, client_options(options.per_second, options.burst)},
      {clients.events, client_options(options.per_second, options.burst)},
      {clients.lease, lease}};
  for (const auto& [client, client_options] : wanted) {
    auto made = kube::Client::make(*credentials, client_options);
    if (!made) return fail(Kind::file, made.error());
    client = std::move(*made);
  }
  const auto first = clients.calls->send(
      {.path = kube::with_query(kube::path_of(kube::kPods, options.name_space),
                                {{"limit", "1"}, {"labelSelector", kJobNameLabel}})});
  if (!first) return fail(Kind::file, kube::to_string(first.error()));

  std::unique_ptr<Application> app(
      new Application(options, std::move(clients), std::move(*settings), std::move(on_lost)));
  const auto port = app->operations_.listen();
  if (!port) return fail(Kind::usage, "--metrics-bind-address: " + port.error());
  app->operations_port_ = *port;
  app->operations_thread_ = std::thread([&server = app->operations_] { server.run(); });
  if (options.configuration) {
    app->reloader_.emplace(
        std::vector<webhook::WatchedFiles>{
            {.paths = {*options.configuration},
             .on_change = [&self = *app] { self.reload_settings(); }}},
        options.reload_interval);
  }
  const std::string http = http::to_string({.host = options.operations.host, .port = *port});
  app->log_.write(LogLevel::info, "enforcing",
                  {{"version", webhook::kVersion},
                   {"identity", options.election.identity},
                   {"http", http},
                   {"dryRun", options.dry_run ? "true" : "false"}});
  app->controller_.start();
  if (options.leader_elect) {
    app->election_ =
        std::jthread([&self = *app](const std::stop_token& stop) { self.elect(stop); });
  } else {
    app->lead();
  }
  return app;
}

void Application::lead() {
  metrics_.set_leader(true);
  log_.write(LogLevel::info, "leading");
  controller_.lead();
}

void Application::elect(const std::stop_token& stop) {
  kube::Elector elector(
      *clients_.lease, options_.election,
      {.elected = [this] { lead(); },
       .failed = [this](const kube::Error& error) { reporter_.api_error("lease", error); }});
  if (elector.run(stop)) return;
  // Another process may lead by now: nothing more is written.
  lost_ = true;
  controller_.stop();
  metrics_.set_leader(false);
  log_.write(LogLevel::error, "the lease is lost, ending");
  on_lost_();
}

void Application::reload_settings() {
  auto settings = webhook::load_settings(options_.configuration);
  const bool bad_for_dry_run =
      settings && options_.dry_run && (*settings)->evidence == admission::Evidence::finalizer;
  metrics_.set_configuration_reloaded(settings.has_value() && !bad_for_dry_run);
  if (!settings || bad_for_dry_run) {
    log_.write(LogLevel::error, "configuration not reloaded, the old one stays",
               {{"error", settings ? "'evidence: finalizer' under --dry-run" : settings.error()}});
    return;
  }
  settings_.set(std::move(*settings));
  log_.write(LogLevel::info, "configuration reloaded");
  controller_.review_all();
}

std::string Application::why_not_ready() const {
  if (draining_) return "shutting down";
  return controller_.synced() ? "" : "the pods are not listed yet";
}

std::string Application::metrics_text() {
  metrics_.set_queue_depth(controller_.queue_depth());
  metrics_.set_pods(pods_.size(), pods_.held());
  metrics_.set_dropped(events_.dropped(), log_.dropped());
  return metrics_.text();
}

void Application::shut_down() {
  if (!operations_thread_.joinable()) return;
  draining_ = true;
  reloader_.reset();
  // Workers first: the lease is held as long as anything is written.
  controller_.stop();
  election_ = {};
  metrics_.set_leader(false);
  operations_.stop();
  operations_thread_.join();
  log_.write(LogLevel::info, "stopped");
}

}  // namespace enforcer
