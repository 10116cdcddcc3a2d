// The program's command line, run as a user runs it.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/manifest.h"
#include "tests/support/process.h"
#include "tests/support/review.h"
#include "tests/support/test_certificate.h"

using nlohmann::ordered_json;
using support::Finished;
using support::run_program;
using support::TemporaryDirectory;

namespace {

constexpr const char* kConfiguration = R"(apiVersion: exit-codes.kubeflow.org/v1alpha1
kind: WebhookConfiguration
profile: my-cloud
profiles:
  my-cloud:
    extends: signals
    retryable: "42"
    permanent: [SIGABRT]
    maxRetries: 5
)";

std::string review_of(const std::string& group, const std::string& name) {
  return support::make_review(support::test_manifest(group, name).object).dump();
}

}  // namespace

TEST_CASE("classify gives verdict and why", "[cli][classify]") {
  struct Case {
    std::vector<std::string> arguments;
    std::string first_line;
    std::string says;
  };
  for (const auto& [arguments, first_line, says] :
       std::vector<Case>{{{"139"}, "permanent", "SIGSEGV"},
                         {{"143"}, "retryable", "SIGTERM"},
                         {{"137"}, "retryable", "SIGKILL"},
                         {{"137", "--reason", "OOMKilled"}, "permanent", "OOMKilled"},
                         {{"143", "--reason", "OOMKilled"}, "retryable", "143"},
                         {{"134"}, "undefined, handled as permanent", "SIGABRT"},
                         {{"134", "--profile", "signals"}, "retryable", "signals"},
                         {{"SIGUSR1"}, "retryable", "138"},
                         {{"EX_TEMPFAIL"}, "undefined, handled as permanent", "75"},
                         {{"0"}, "succeeded", ""},
                         {{"--", "-1"}, "undefined, handled as permanent", "-1"},
                         {{"3221225477"}, "undefined, handled as permanent", "3221225477"}}) {
    std::vector<std::string> command{"classify"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Finished finished = run_program(command);
    INFO(arguments.front() << ": " << finished.out << finished.err);
    CHECK(finished.status == 0);
    CHECK(finished.err.empty());
    CHECK(finished.out.starts_with(first_line + "\n"));
    CHECK(finished.out.find(says) != std::string::npos);
  }
}

TEST_CASE("classify asks a configuration's profiles", "[cli][classify]") {
  const TemporaryDirectory folder;
  const std::string file = folder.write("config.yaml", kConfiguration).string();
  CHECK(run_program({"classify", "134", "--config", file}).out.starts_with("permanent\n"));
  CHECK(run_program({"classify", "42", "--config", file}).out.starts_with("retryable\n"));
  CHECK(run_program({"classify", "134", "--config", file, "--profile", "signals"})
            .out.starts_with("retryable\n"));
}

TEST_CASE("classify says what is wrong with its arguments", "[cli][classify]") {
  const Finished word = run_program({"classify", "lots"});
  CHECK(word.status == 2);
  CHECK(word.err ==
        "tfjob-webhook: lots is no exit code: give a whole number, or a name such as SIGTERM or "
        "EX_TEMPFAIL\n");
  const Finished profile = run_program({"classify", "1", "--profile", "signal"});
  CHECK(profile.status == 2);
  CHECK(profile.err ==
        "tfjob-webhook: there is no profile signal: did you mean signals? The profiles are "
        "kubeflow, signals, cloudml, all-permanent, all-retryable\n");
  CHECK(run_program({"classify"}).status == 2);
  CHECK(run_program({"classify", "1", "2"}).status == 2);
}

TEST_CASE("profiles lists what each retries", "[cli][profiles]") {
  const Finished finished = run_program({"profiles"});
  CHECK(finished.status == 0);
  CHECK(finished.out.starts_with(R"(kubeflow (default)
  permanent    1 2 126-128 139
  retryable    130 137 138 143
  undefined    every other code: handled as permanent
  reason       OOMKilled with 137: permanent
  disruption   retryable
  no exit code retryable

signals
  permanent    1-127
  retryable    128-255
)"));
  const TemporaryDirectory folder;
  const std::string file = folder.write("config.yaml", kConfiguration).string();
  const Finished own = run_program({"profiles", "--config", file});
  CHECK(own.out.find("my-cloud (default)\n") != std::string::npos);
  CHECK(own.out.find("  max retries  5\n") != std::string::npos);
}

TEST_CASE("profiles prints annotation values", "[cli][profiles]") {
  const Finished finished = run_program({"profiles", "--annotations"});
  CHECK(finished.status == 0);
  CHECK(finished.out.starts_with(
      R"({"version":1,"profile":"kubeflow","permanent":[1,2,126,127,128,139],"retryable":[130,137,138,143],"undefined":"permanent","reasons":{"OOMKilled":"permanent"},"disruption":"retryable","noExitCode":"retryable"})"
      "\n{\"version\":1,\"profile\":\"signals\""));
}

TEST_CASE("review answers as the webhook would", "[cli][review]") {
  const std::string review = review_of("valid", "tfjob-v1-inputs-on-job");
  SECTION("from standard input") {
    const Finished finished = run_program({"review", "-"}, review);
    CHECK(finished.status == 0);
    CHECK(ordered_json::parse(finished.out) == support::answer(review));
  }
  SECTION("from a file, with the patch decoded") {
    const TemporaryDirectory folder;
    const std::string file = folder.write("review.json", review).string();
    const Finished finished = run_program({"review", file, "--show-patch"});
    CHECK(finished.status == 0);
    const auto shown = ordered_json::parse(finished.out);
    CHECK(shown["response"]["patch"] == support::patch_of(support::answer(review)));
  }
  SECTION("as the validating webhook") {
    const Finished finished = run_program({"review", "--endpoint", "validate", "-"}, review);
    CHECK(finished.status == 0);
    CHECK(ordered_json::parse(finished.out) ==
          support::answer(review, {}, admission::Endpoint::validate));
  }
}

TEST_CASE("review ends with 1 where a job is denied", "[cli][review]") {
  const std::string review = review_of("invalid", "tfjob-v1-several-faults");
  const Finished finished = run_program({"review", "-"}, review);
  CHECK(finished.status == 1);
  CHECK(ordered_json::parse(finished.out) == support::answer(review));

  const TemporaryDirectory folder;
  const std::string lenient = folder
                                  .write("config.yaml",
                                         "apiVersion: exit-codes.kubeflow.org/v1alpha1\n"
                                         "kind: WebhookConfiguration\nenforcement: warn\n")
                                  .string();
  CHECK(run_program({"review", "-", "--config", lenient}, review).status == 0);
}

TEST_CASE("review ends with 3 where there is nothing to answer", "[cli][review]") {
  const Finished missing = run_program({"review", "/nonexistent/review.json"});
  CHECK(missing.status == 3);
  CHECK(missing.err ==
        "tfjob-webhook: /nonexistent/review.json: there is no such file or folder\n");
  const Finished other = run_program({"review", "-"}, R"({"kind":"TFJob"})");
  CHECK(other.status == 3);
  CHECK(other.err ==
        "tfjob-webhook: -: kind must be AdmissionReview, as the API server sends it\n");
  CHECK(run_program({"review", "-"}, "").status == 3);
  CHECK(run_program({"review", "/tmp"}).status == 3);
}

TEST_CASE("a bad configuration ends every command with 3 and its place", "[cli]") {
  const TemporaryDirectory folder;
  const std::string file = folder
                               .write("config.yaml",
                                      "apiVersion: exit-codes.kubeflow.org/v1alpha1\n"
                                      "kind: WebhookConfiguration\nprofil: x\n")
                               .string();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"profiles"},
        {"classify", "1"},
        {"review", "-"},
        {"serve", "--cert-dir", folder.path().string()}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--config", file});
    const Finished finished = run_program(arguments);
    INFO(command.front());
    CHECK(finished.status == 3);
    CHECK(finished.err.find(file + ":3:1: ") != std::string::npos);
    CHECK(finished.err.find("did you mean 'profile'?") != std::string::npos);
  }
}

TEST_CASE("serve says why it cannot start", "[cli][serve]") {
  const TemporaryDirectory folder;
  const std::string certificates = folder.path().string();
  const Finished no_certificate = run_program({"serve", "--cert-dir", certificates});
  CHECK(no_certificate.status == 3);
  CHECK(no_certificate.err.find("tls.crt") != std::string::npos);

  const support::TestPair authority = support::TestPair::authority();
  authority.issue({}).write_to(folder.path());
  const auto serve_with = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"serve", "--cert-dir", certificates};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_program(arguments);
  };
  CHECK(run_program({"serve"}).status == 2);
  CHECK(serve_with({"--bind-address", "nonsense"}).status == 2);
  CHECK(serve_with({"--shutdown-delay", "soon"}).err ==
        "tfjob-webhook: --shutdown-delay: \"soon\" is no duration of at most 24h: write a whole "
        "number and ms, s, m or h, such as 10s\n");
  CHECK(serve_with({"--log-level", "loud"}).status == 2);
  CHECK(serve_with({"--log-format", "xml"}).status == 2);
  const Finished no_host = serve_with({"--bind-address", "192.0.2.1:1"});
  CHECK(no_host.status == 2);
  CHECK(no_host.err.find("--bind-address: ") != std::string::npos);
}

TEST_CASE("version and help are printed", "[cli]") {
  CHECK(run_program({"version"}).out == "tfjob-webhook 0.1.0\n");
  CHECK(run_program({"--version"}).out == "tfjob-webhook 0.1.0\n");
  for (const std::string command :
       {"serve", "enforce", "review", "classify", "profiles", "completion"}) {
    const Finished help = run_program({command, "--help"});
    INFO(command);
    CHECK(help.status == 0);
    CHECK(help.out.find("Examples:\n  ") != std::string::npos);
    CHECK(help.out.find("tfjob-webhook " + command) != std::string::npos);
    CHECK(help.out.find("Exit status: ") != std::string::npos);
  }
}

TEST_CASE("a wrong command line ends with 2 and says so", "[cli]") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"nonsense"},
                                                    {"--nonsense"},
                                                    {"review"},
                                                    {"profiles", "--nonsense"},
                                                    {"version", "extra"}}) {
    const Finished finished = run_program(arguments);
    INFO(finished.err);
    CHECK(finished.status == 2);
    CHECK(finished.err.starts_with("tfjob-webhook: "));
  }
}

TEST_CASE("a usage error names what was probably meant", "[cli]") {
  struct Case {
    std::vector<std::string> arguments;
    std::string says;
  };
  const std::string help = "\n'tfjob-webhook";
  for (const auto& [arguments, says] : std::vector<Case>{
           {{"reveiw", "x"}, "there is no command reveiw: did you mean review? The commands are "},
           {{"serve", "--cert-dri", "x"},
            "there is no flag --cert-dri: did you mean --cert-dir?" + help + " serve --help'"},
           {{}, "a command is missing: one of serve, enforce, lint, "},
           {{"review", "a", "b"}, "the argument b is one too many" + help + " review --help'"},
           {{"review", "f", "--endpoint=mutat"},
            "--endpoint: mutat is none of its values: did you mean mutate? Use one of mutate, "
            "validate" +
                help + " review --help'"},
           {{"profiles", "-x"}, "there is no flag -x" + help + " profiles --help'"},
           {{"serve"}, "--cert-dir is required" + help + " serve --help'"}}) {
    const Finished finished = run_program(arguments);
    CHECK(finished.status == 2);
    CHECK_THAT(finished.err, Catch::Matchers::StartsWith("tfjob-webhook: " + says));
  }
}

TEST_CASE("serve refuses limits that cannot be", "[cli][serve]") {
  CHECK(run_program({"serve", "--cert-dir", "x", "--max-head-bytes", "0"}).status == 2);
  CHECK(run_program({"serve", "--cert-dir", "x", "--loops", "-1"}).status == 2);
  CHECK(run_program({"serve", "--cert-dir", "x", "--keep-alive", "soon"}).err ==
        "tfjob-webhook: --keep-alive: \"soon\" is no duration of at most 24h: write a whole "
        "number and ms, s, m or h, such as 10s\n");
  CHECK(run_program({"serve", "--cert-dir", "x", "--client-allowed-names", "a"}).err ==
        "tfjob-webhook: --client-allowed-names needs --client-ca-file, which says who vouches for "
        "them\n");
}

TEST_CASE("of a flag given twice the last counts", "[cli]") {
  CHECK(run_program({"classify", "134", "--profile", "kubeflow", "--profile", "signals"})
            .out.starts_with("retryable\n"));
}

TEST_CASE("enforce refuses flags that cannot be meant", "[cli][enforce]") {
  struct Case {
    std::vector<std::string> flags;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"--lease-duration", "x"},
       "--lease-duration: \"x\" is no duration of at most 24h: write a whole number and ms, s, m "
       "or "
       "h, such as 10s"},
      {{"--retry-period", "0s"}, "--retry-period: must be 10ms or more"},
      {{"--lease-duration", "10s"}, "--lease-duration must be longer than --renew-deadline"},
      {{"--retry-period", "10s"}, "--renew-deadline must be longer than --retry-period"},
      {{"--metrics-bind-address", "x"}, "--metrics-bind-address: "},
      {{"--release-all", "--dry-run"},
       "--release-all writes and --dry-run does not: name one of them"}};
  for (const auto& [flags, message] : cases) {
    std::vector<std::string> arguments{"enforce"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Finished finished = run_program(arguments);
    CAPTURE(finished.err);
    CHECK(finished.status == 2);
    CHECK_THAT(finished.err, Catch::Matchers::StartsWith("tfjob-webhook: " + message));
  }
}

TEST_CASE("enforce says which file it cannot use", "[cli][enforce]") {
  for (const bool release : {false, true}) {
    std::vector<std::string> arguments{"enforce", "--kubeconfig", "/nowhere/config"};
    if (release) arguments.emplace_back("--release-all");
    const Finished finished = run_program(arguments);
    CHECK(finished.status == 3);
    CHECK(finished.err.find("/nowhere/config") != std::string::npos);
  }
}
