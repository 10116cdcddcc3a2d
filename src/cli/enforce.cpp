#include <csignal>
#include <expected>
#include <iostream>
#include <memory>
#include <string>

#include <unistd.h>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/exit_status.h"
#include "cli/log_options.h"
#include "cli/signals.h"
#include "enforcer/application.h"
#include "enforcer/release_all.h"
#include "http/address.h"

namespace cli {
namespace {

struct EnforceFlags {
  std::string kubeconfig;
  std::string context;
  std::string configuration;
  std::string name_space;
  unsigned workers = 4;
  double qps = 100;
  int burst = 200;
  bool dry_run = false;
  bool release_all = false;
  std::string metrics_bind_address = ":8080";
  std::string reload_interval = "500ms";
  bool leader_elect = true;
  std::string lease_name = "tfjob-enforcer";
  std::string lease_namespace;
  std::string lease_duration = "15s";
  std::string renew_deadline = "10s";
  std::string retry_period = "2s";
  LogOptions log;
};

int fail(const std::string& message, ExitStatus status) {
  std::cerr << "tfjob-webhook: " << message << '\n';
  return status;
}

/// Reads the flags that are durations; the error names the flag.
std::expected<void, std::string> read_durations(const EnforceFlags& flags,
                                                enforcer::EnforceOptions& options) {
  kube::ElectionOptions& election = options.election;
  const std::initializer_list<DurationFlag> durations = {
      {"--lease-duration", flags.lease_duration, election.lease_duration},
      {"--renew-deadline", flags.renew_deadline, election.renew_deadline},
      {"--retry-period", flags.retry_period, election.retry_period},
      {"--reload-interval", flags.reload_interval, options.reload_interval}};
  if (const auto read = cli::read_durations(durations); !read) return read;
  for (const DurationFlag& flag : durations) {
    if (flag.value < std::chrono::milliseconds(10)) {
      return std::unexpected(std::string(flag.name) + ": must be 10ms or more");
    }
  }
  if (election.lease_duration <= election.renew_deadline) {
    return std::unexpected("--lease-duration must be longer than --renew-deadline");
  }
  if (election.renew_deadline <= election.retry_period) {
    return std::unexpected("--renew-deadline must be longer than --retry-period");
  }
  return {};
}

int release_all(const enforcer::EnforceOptions& options) {
  kube::ClientOptions client_options;
  client_options.per_second = options.per_second;
  client_options.burst = options.burst;
  const auto client = enforcer::make_client(options, client_options);
  if (!client) return fail(client.error(), ExitStatus::unreadable);
  const enforcer::Released released = enforcer::release_all(
      **client, options.name_space, [](const std::string& line) { std::cout << line << '\n'; });
  std::cout << released.pods << " pods released, " << released.jobs
            << " jobs changed so that new pods are not held\n";
  if (released.failures == 0) return ExitStatus::ok;
  return fail(std::to_string(released.failures) + " failures: mend them and run it again",
              ExitStatus::denied);
}

int enforce(const EnforceFlags& flags) {
  enforcer::EnforceOptions options;
  options.kubeconfig = flags.kubeconfig;
  options.context = flags.context;
  if (!flags.configuration.empty()) options.configuration = flags.configuration;
  options.name_space = flags.name_space;
  options.workers = flags.workers;
  options.per_second = flags.qps;
  options.burst = flags.burst;
  options.dry_run = flags.dry_run;
  const auto operations = http::parse_address(flags.metrics_bind_address);
  if (!operations) {
    return fail("--metrics-bind-address: " + operations.error(), ExitStatus::usage);
  }
  options.operations = *operations;
  options.leader_elect = flags.leader_elect;
  options.election.name = flags.lease_name;
  options.election.name_space = flags.lease_namespace;
  if (const auto read = read_durations(flags, options); !read) {
    return fail(read.error(), ExitStatus::usage);
  }
  options.log_format = flags.log.parsed_format();
  options.log_level = flags.log.parsed_level();
  if (flags.release_all) {
    if (flags.dry_run) {
      return fail("--release-all writes and --dry-run does not: name one of them",
                  ExitStatus::usage);
    }
    return release_all(options);
  }

  const sigset_t signals = block_signals();
  // A lost lease ends the process as a signal does.
  const auto app = enforcer::Application::start(options, [] { ::kill(::getpid(), SIGTERM); });
  if (!app) {
    return fail(app.error().message, app.error().kind == enforcer::StartError::Kind::file
                                         ? ExitStatus::unreadable
                                         : ExitStatus::usage);
  }
  wait_for(signals);
  (*app)->shut_down();
  return (*app)->lost() ? ExitStatus::denied : ExitStatus::ok;
}

void add_election_options(CLI::App& command, EnforceFlags& flags) {
  const auto add = [&command](const char* name, auto& value, const char* description) {
    command.add_option(name, value, description)->capture_default_str()->group("Leader election");
  };
  add("--leader-elect", flags.leader_elect,
      "Act only while this process holds the Lease; false: there is no other process");
  command.get_option("--leader-elect")->default_str("true");
  add("--lease-name", flags.lease_name, "Name of the Lease");
  command
      .add_option("--lease-namespace", flags.lease_namespace,
                  "Its namespace (default: the pod's, or the context's)")
      ->group("Leader election");
  add("--lease-duration", flags.lease_duration, "How long others wait for a leader that is silent");
  add("--renew-deadline", flags.renew_deadline, "How long a leader tries to renew before it ends");
  add("--retry-period", flags.retry_period, "How long between two attempts");
}

}  // namespace

void add_enforce(CLI::App& app, Action& action) {
  auto flags = std::make_shared<EnforceFlags>();
  CLI::App* command = app.add_subcommand(
      "enforce", "Fail jobs whose pods ended with what their table calls permanent.");
  command->add_option("--kubeconfig", flags->kubeconfig,
                      "Kubeconfig file (default: KUBECONFIG, the pod's own account, "
                      "~/.kube/config)");
  command->add_option("--context", flags->context, "Context in it (default: its current one)");
  command->add_option("--config", flags->configuration,
                      "Configuration file, the webhook's (default: evidence none)");
  command->add_option("--namespace", flags->name_space, "Only jobs of this one (default: all)");
  command->add_option("--workers", flags->workers, "Jobs that are looked at at once")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  command->add_option("--qps", flags->qps, "Calls of the API server a second, in the long run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--burst", flags->burst, "Calls of the API server at once")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--dry-run", flags->dry_run,
                    "Say what would be done, as Events and metrics, and do nothing");
  command->add_flag("--release-all", flags->release_all,
                    "Take the finalizer off all pods and jobs, and end: before uninstalling");
  command
      ->add_option("--metrics-bind-address", flags->metrics_bind_address,
                   "HOST:PORT for /livez, /readyz and /metrics, plain HTTP")
      ->capture_default_str();
  command
      ->add_option("--reload-interval", flags->reload_interval,
                   "How often the configuration is looked at for a change")
      ->capture_default_str();
  add_election_options(*command, *flags);
  add_log_options(*command, flags->log);
  command->footer(
      "Examples:\n"
      "  tfjob-webhook enforce --config config.yaml --dry-run --log-format text\n"
      "  tfjob-webhook enforce --release-all\n"
      "\n"
      "Exit status: 0 after SIGTERM or SIGINT, or all is released; 1 the Lease was lost, or not "
      "all\n"
      "is released; 2 flags or an address that cannot be bound; 3 configuration or credentials\n"
      "unreadable, or the API server refuses them.");
  command->callback([flags, &action] { action = [flags] { return enforce(*flags); }; });
}

}  // namespace cli
