#include <chrono>
#include <csignal>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/exit_status.h"
#include "http/address.h"
#include "webhook/application.h"

namespace cli {
namespace {

struct Options {
  std::string cert_dir;
  std::string bind_address = ":8443";
  std::string metrics_bind_address = ":8080";
  std::string configuration;
  std::string shutdown_delay = "10s";
  std::string log_format = "json";
  std::string log_level = "info";
};

webhook::LogLevel log_level(const std::string& name) {
  using webhook::LogLevel;
  for (const LogLevel level : {LogLevel::debug, LogLevel::info, LogLevel::warn, LogLevel::error}) {
    if (webhook::to_string(level) == name) return level;
  }
  return LogLevel::info;
}

int usage_error(const std::string& message) {
  std::cerr << "tfjob-webhook: " << message << '\n';
  return ExitStatus::usage;
}

/// SIGTERM and SIGINT, for this thread and all that it starts: they are waited for, not handled.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

/// Waits for one of `signals`, at most for `limit`.
void wait_for(const sigset_t& signals, std::chrono::milliseconds limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  timespec timeout{};
  timeout.tv_sec = static_cast<std::time_t>(seconds.count());
  timeout.tv_nsec = std::chrono::nanoseconds(limit - seconds).count();
  sigtimedwait(&signals, nullptr, &timeout);
}

int serve(const Options& options) {
  webhook::ServeOptions serve;
  serve.certificates = options.cert_dir;
  const auto reviews = http::parse_address(options.bind_address);
  if (!reviews) return usage_error("--bind-address: " + reviews.error());
  serve.reviews = *reviews;
  const auto operations = http::parse_address(options.metrics_bind_address);
  if (!operations) return usage_error("--metrics-bind-address: " + operations.error());
  serve.operations = *operations;
  const auto delay = parse_duration(options.shutdown_delay);
  if (!delay) return usage_error("--shutdown-delay: " + delay.error());
  if (!options.configuration.empty()) serve.configuration = options.configuration;
  serve.log_format =
      options.log_format == "text" ? webhook::LogFormat::text : webhook::LogFormat::json;
  serve.log_level = log_level(options.log_level);

  const sigset_t signals = block_signals();
  const auto app = webhook::Application::start(serve);
  if (!app) {
    std::cerr << "tfjob-webhook: " << app.error().message << '\n';
    return app.error().kind == webhook::StartError::Kind::file ? ExitStatus::unreadable
                                                               : ExitStatus::usage;
  }
  int signal = 0;
  sigwait(&signals, &signal);
  (*app)->drain();
  // Endpoints that still list this pod learn of it meanwhile; a second signal cuts the delay short.
  wait_for(signals, *delay);
  (*app)->shut_down();
  return ExitStatus::ok;
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("serve", "Answer AdmissionReviews of the API server over HTTPS.");
  command
      ->add_option("--cert-dir", options->cert_dir,
                   "Folder with the serving pair, tls.crt and tls.key")
      ->required();
  command
      ->add_option("--bind-address", options->bind_address,
                   "HOST:PORT for /mutate and /validate, over TLS")
      ->capture_default_str();
  command
      ->add_option("--metrics-bind-address", options->metrics_bind_address,
                   "HOST:PORT for /livez, /readyz and /metrics, plain HTTP")
      ->capture_default_str();
  command->add_option("--config", options->configuration,
                      "Configuration file (default: profile kubeflow, enforcement deny)");
  command
      ->add_option("--shutdown-delay", options->shutdown_delay,
                   "How long to serve on after SIGTERM, such as 10s, 500ms or 1m")
      ->capture_default_str();
  command->add_option("--log-format", options->log_format, "json or text, on standard error")
      ->check(CLI::IsMember({"json", "text"}))
      ->capture_default_str();
  command->add_option("--log-level", options->log_level, "Lines below it are left out")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  tfjob-webhook serve --cert-dir certs --bind-address 127.0.0.1:8443 \\\n"
      "    --metrics-bind-address 127.0.0.1:8080 --log-format text\n"
      "  tfjob-webhook serve --cert-dir /etc/tfjob-webhook/certs --config config.yaml\n"
      "\n"
      "Exit status: 0 after SIGTERM or SIGINT, 2 flags or an address that cannot be bound,\n"
      "3 configuration or certificate unreadable.");
  command->callback([options, &action] { action = [options] { return serve(*options); }; });
}

}  // namespace cli
