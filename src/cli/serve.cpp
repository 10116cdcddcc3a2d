#include <chrono>
#include <cstddef>
#include <expected>
#include <iostream>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <sys/resource.h>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/exit_status.h"
#include "cli/log_options.h"
#include "cli/signals.h"
#include "http/address.h"
#include "webhook/application.h"

namespace cli {
namespace {

struct ServeOptions {
  std::string cert_dir;
  std::string bind_address = ":8443";
  std::string metrics_bind_address = ":8080";
  std::string configuration;
  std::string client_ca_file;
  std::vector<std::string> client_allowed_names;
  std::string shutdown_delay = "10s";
  std::string reload_interval = "500ms";
  unsigned loops = 0;
  std::string keep_alive = "2m";
  std::string request_timeout = "10s";
  std::string write_timeout = "10s";
  std::string max_connection_age = "10m";
  std::size_t max_connections = http::Limits{}.connections;
  std::size_t max_head_bytes = http::Limits{}.head;
  std::size_t max_body_bytes = http::Limits{}.body;
  std::size_t max_buffered_bytes = http::Limits{}.buffered;
  LogOptions log;
};

int usage_error(const std::string& message) {
  std::cerr << "tfjob-webhook: " << message << '\n';
  return ExitStatus::usage;
}

constexpr std::chrono::milliseconds kMinReloadInterval{10};

/// Reads the flags that are durations into `serve`; the error names the flag.
std::expected<void, std::string> read_durations(const ServeOptions& options,
                                                webhook::ServeOptions& serve) {
  const auto read = cli::read_durations(
      {{"--keep-alive", options.keep_alive, serve.limits.keep_alive},
       {"--request-timeout", options.request_timeout, serve.limits.request_time},
       {"--write-timeout", options.write_timeout, serve.limits.write_time},
       {"--max-connection-age", options.max_connection_age, serve.limits.max_connection_age},
       {"--reload-interval", options.reload_interval, serve.reload_interval}});
  if (read && serve.reload_interval < kMinReloadInterval) {
    return std::unexpected("--reload-interval: must be 10ms or more");
  }
  return read;
}

/// Lets the process have as many descriptors as it may: each connection is one.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int serve(const ServeOptions& options) {
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
  if (const auto read = read_durations(options, serve); !read) return usage_error(read.error());
  serve.limits.connections = options.max_connections;
  serve.limits.head = options.max_head_bytes;
  serve.limits.body = options.max_body_bytes;
  serve.limits.buffered = options.max_buffered_bytes;
  serve.loops = options.loops;
  if (!options.configuration.empty()) serve.configuration = options.configuration;
  if (!options.client_ca_file.empty()) serve.client_ca = options.client_ca_file;
  if (!options.client_allowed_names.empty() && !serve.client_ca) {
    return usage_error(
        "--client-allowed-names needs --client-ca-file, which says who vouches for them");
  }
  serve.client_names = options.client_allowed_names;
  serve.log_format = options.log.parsed_format();
  serve.log_level = options.log.parsed_level();

  raise_descriptor_limit();
  const sigset_t signals = block_signals();
  const auto app = webhook::Application::start(serve);
  if (!app) {
    std::cerr << "tfjob-webhook: " << app.error().message << '\n';
    return app.error().kind == webhook::StartError::Kind::file ? ExitStatus::unreadable
                                                               : ExitStatus::usage;
  }
  wait_for(signals);
  (*app)->drain();
  // Endpoints that still list this pod learn of it meanwhile; a second signal cuts the delay short.
  wait_for(signals, *delay);
  (*app)->shut_down();
  return ExitStatus::ok;
}

/// The flags that say what clients are granted.
void add_limits(CLI::App& command, ServeOptions& options) {
  const auto add = [&command](const char* name, auto& value, const char* description) {
    CLI::Option* option = command.add_option(name, value, description);
    option->capture_default_str()->group("Limits");
    if constexpr (std::is_integral_v<std::remove_reference_t<decltype(value)>>) {
      option->check(CLI::PositiveNumber);
    }
  };
  add("--keep-alive", options.keep_alive, "How long a connection may stay without a request");
  add("--request-timeout", options.request_timeout,
      "How long a client may take to send a whole request, or for a TLS handshake");
  add("--write-timeout", options.write_timeout,
      "How long a client may take to read what was answered");
  add("--max-connection-age", options.max_connection_age,
      "After it a connection is told to close with its next reply");
  add("--max-connections", options.max_connections, "Connections at once, on each port");
  add("--max-head-bytes", options.max_head_bytes, "Request line and header fields of a request");
  add("--max-body-bytes", options.max_body_bytes, "Body of a request");
  add("--max-buffered-bytes", options.max_buffered_bytes,
      "Incomplete requests and unsent replies of all connections together; 429 beyond it");
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  auto options = std::make_shared<ServeOptions>();
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
  command->add_option("--client-ca-file", options->client_ca_file,
                      "PEM file: only clients with a certificate of one of these authorities may "
                      "ask (default: any)");
  command
      ->add_option("--client-allowed-names", options->client_allowed_names,
                   "Only clients whose certificate has one of these common names or DNS names")
      ->delimiter(',')
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--loops", options->loops,
                   "Threads that answer reviews; 0: as many as there are processors, by affinity "
                   "and the control group's quota")
      ->check(CLI::Range(0U, 1024U))
      ->capture_default_str();
  add_limits(*command, *options);
  command
      ->add_option("--shutdown-delay", options->shutdown_delay,
                   "How long to serve on after SIGTERM, such as 10s, 500ms or 1m")
      ->capture_default_str();
  command
      ->add_option("--reload-interval", options->reload_interval,
                   "How often certificates and configuration are looked at for a change")
      ->capture_default_str();
  add_log_options(*command, options->log);
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
