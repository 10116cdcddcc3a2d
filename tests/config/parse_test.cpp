#include <string>
#include <string_view>

#include "config/config.h"
#include "tests/config/errors.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

namespace {

using config_test::errors_of;
using config_test::kHead;
using Lines = std::vector<std::string>;

admission::Settings settings_of(std::string_view body) {
  auto settings = config::parse(std::string(kHead) + std::string(body), "c.yaml");
  if (!settings) throw std::runtime_error(to_string(settings.error().front()));
  return *std::move(settings);
}

constexpr std::string_view kNames = "kubeflow, signals, cloudml, all-permanent, all-retryable";

}  // namespace

TEST_CASE("apiVersion and kind alone give the defaults", "[config][parse]") {
  const admission::Settings settings = settings_of("");
  CHECK(settings.profile == "kubeflow");
  CHECK(settings.enforcement == admission::Enforcement::deny);
  CHECK(settings.operator_version == "training-operator/1.9");
  CHECK(settings.evidence == admission::Evidence::none);
  CHECK(settings.namespaces.empty());
  CHECK(settings.profiles.names().size() == 5);
}

TEST_CASE("the documented example is read as it is documented", "[config][parse]") {
  const auto settings = config::load(PROJECT_DIR "/docs/examples/configuration.yaml");
  REQUIRE(settings);
  CHECK(settings->profile == "kubeflow");
  CHECK(settings->operator_version == "training-operator/1.9");

  const exit_codes::Table* cloud = settings->profiles.find("my-cloud");
  REQUIRE(cloud != nullptr);
  CHECK(cloud->retryable == exit_codes::CodeSet{42, 130, 137, 138, 140, 143});
  CHECK(cloud->permanent == exit_codes::CodeSet{1, 2, 126, 127, 128, 134, 139, 255});
  CHECK(cloud->max_retries == 5);

  const exit_codes::Table* gpu = settings->profiles.find("my-cloud-gpu");
  REQUIRE(gpu != nullptr);
  CHECK(gpu->retryable.contains(75));
  CHECK(gpu->retryable.contains(205));
  CHECK(gpu->retryable.contains(42));
  CHECK_FALSE(gpu->permanent.contains(126));
  CHECK(gpu->reasons == std::map<std::string, exit_codes::Verdict>{
                            {"ContainerCannotRun", exit_codes::Verdict::permanent},
                            {"NodeLost", exit_codes::Verdict::retryable}});
  CHECK(gpu->max_retries == 5);

  REQUIRE(settings->namespaces.size() == 3);
  CHECK(settings->namespaces[0].match == Lines{"team-*", "research"});
  CHECK(settings->namespaces[0].profile == "my-cloud");
  CHECK(settings->namespaces[0].enforcement == admission::Enforcement::warn);
  CHECK(settings->namespaces[1].enforcement == admission::Enforcement::deny);
  CHECK(settings->namespaces[2].profile == "kubeflow");
  CHECK(settings->namespaces[2].enforcement == admission::Enforcement::audit);
}

TEST_CASE("every value of the words is known", "[config][parse]") {
  CHECK(settings_of("enforcement: warn").enforcement == admission::Enforcement::warn);
  CHECK(settings_of("enforcement: \"audit\"").enforcement == admission::Enforcement::audit);
  CHECK(settings_of("evidence: finalizer").evidence == admission::Evidence::finalizer);
  for (const std::string_view version :
       {"tf-operator/0.2", "tf-operator/0.3", "tf-operator/0.4", "tf-operator/0.5",
        "tf-operator/0.6", "tf-operator/0.7", "tf-operator/1.0", "tf-operator/1.1",
        "tf-operator/1.2", "tf-operator/1.3", "tf-operator/1.4", "training-operator/1.5",
        "training-operator/1.6", "training-operator/1.7", "training-operator/1.8",
        "training-operator/1.9"}) {
    CHECK(settings_of("operator: " + std::string(version)).operator_version == version);
  }
}

TEST_CASE("words that are not known are errors", "[config][parse]") {
  CHECK(errors_of("enforcement: dney\n") ==
        Lines{"c.yaml:3:14: enforcement: 'dney' is not known: did you mean 'deny'? There are deny, "
              "warn, audit"});
  CHECK(errors_of("enforcement: off\n") ==
        Lines{"c.yaml:3:14: enforcement: 'off' is not known: write one of deny, warn, audit"});
  CHECK(errors_of("evidence: yes\n") ==
        Lines{"c.yaml:3:11: evidence: 'yes' is not known: write one of none, finalizer"});
  CHECK(
      errors_of("operator: training-operator/2.0\n") ==
      Lines{"c.yaml:3:11: operator: 'training-operator/2.0' is not known: did you mean "
            "'training-operator/1.9'? There are tf-operator/0.2, tf-operator/0.3, "
            "tf-operator/0.4, tf-operator/0.5, tf-operator/0.6, tf-operator/0.7, "
            "tf-operator/1.0, tf-operator/1.1, tf-operator/1.2, tf-operator/1.3, tf-operator/1.4, "
            "training-operator/1.5, training-operator/1.6, training-operator/1.7, "
            "training-operator/1.8, training-operator/1.9"});
}

TEST_CASE("values of the wrong type are errors", "[config][parse]") {
  CHECK(errors_of("profile: 42\n") ==
        Lines{"c.yaml:3:10: profile: must be a string, not a number: quote '42'"});
  CHECK(errors_of("profile: on\n") ==
        Lines{"c.yaml:3:10: profile: must be a string, not a boolean: quote 'on'"});
  CHECK(errors_of("profile: [a]\n") == Lines{"c.yaml:3:10: profile: must be a string, not a list"});
  CHECK(errors_of("enforcement: {a: b}\n") ==
        Lines{"c.yaml:3:14: enforcement: must be a string, not a mapping"});
  CHECK(errors_of("operator:\n") ==
        Lines{"c.yaml:3:10: operator: has no value: write one, or remove the key"});
  CHECK(errors_of("profile: !!int x\n") ==
        Lines{"c.yaml:3:10: profile: 'x' is no !!int: correct it or remove the tag"});
  CHECK(errors_of("profiles: [a]\n") ==
        Lines{"c.yaml:3:11: profiles: must be a mapping of names to profiles, not a list"});
  CHECK(errors_of("namespaces: {a: b}\n") ==
        Lines{"c.yaml:3:13: namespaces: must be a list, not a mapping: begin each entry with '- "
              "match:'"});
}

TEST_CASE("a section without content is as one left out", "[config][parse]") {
  CHECK(settings_of("profiles:\nnamespaces:\n").namespaces.empty());
}

TEST_CASE("unknown profiles are errors", "[config][parse]") {
  CHECK(errors_of("profile: kubeflw\n") ==
        Lines{"c.yaml:3:10: profile: there is no profile 'kubeflw': did you mean 'kubeflow'? There "
              "are " +
              std::string(kNames)});
  CHECK(errors_of("profile: mine\nprofiles:\n  other: {}\n") ==
        Lines{"c.yaml:3:10: profile: there is no profile 'mine': write one of " +
              std::string(kNames) + ", other"});
}

TEST_CASE("the default profile may be one of the file", "[config][parse]") {
  CHECK(settings_of("profile: mine\nprofiles:\n  mine: {maxRetries: 3}\n").profile == "mine");
}

TEST_CASE("unknown keys are errors", "[config][parse]") {
  const std::string keys =
      "apiVersion, kind, profile, enforcement, operator, evidence, profiles, namespaces";
  CHECK(
      errors_of("enforcment: warn\n") ==
      Lines{"c.yaml:3:1: unknown key 'enforcment': did you mean 'enforcement'? There are " + keys});
  CHECK(errors_of("color: red\n") ==
        Lines{"c.yaml:3:1: unknown key 'color': write one of " + keys});
}

TEST_CASE("duplicate keys are errors", "[config][parse]") {
  CHECK(errors_of("profile: signals\nprofile: cloudml\n") ==
        Lines{"c.yaml:4:1: key 'profile' was given already in line 3: remove one of the two"});
}

TEST_CASE("keys from a merge key may be overridden", "[config][parse]") {
  const admission::Settings settings = settings_of(
      "profiles:\n  a: &a {maxRetries: 1, undefined: retryable}\n  b: {<<: *a, maxRetries: 2}\n");
  CHECK(settings.profiles.find("b")->max_retries == 2);
  CHECK(settings.profiles.find("b")->undefined == exit_codes::Verdict::retryable);
}

TEST_CASE("apiVersion and kind are required and checked", "[config][parse]") {
  CHECK(config_test::errors_of_file("profile: signals\n") ==
        Lines{"c.yaml:1:1: apiVersion is missing: write 'apiVersion: "
              "exit-codes.kubeflow.org/v1alpha1'",
              "c.yaml:1:1: kind is missing: write 'kind: WebhookConfiguration'"});
  CHECK(config_test::errors_of_file("apiVersion: v1\nkind: [x]\n") ==
        Lines{"c.yaml:1:13: apiVersion: 'v1' cannot be read here: write 'apiVersion: "
              "exit-codes.kubeflow.org/v1alpha1'",
              "c.yaml:2:7: kind: a list cannot be read here: write 'kind: WebhookConfiguration'"});
}

TEST_CASE("an empty file is an error", "[config][parse]") {
  const Lines expected{
      "c.yaml:1:1: the file is empty: begin it with 'apiVersion: "
      "exit-codes.kubeflow.org/v1alpha1' and 'kind: WebhookConfiguration'"};
  for (const std::string_view text : {"", "\n", "# only this\n", "---\n", "---\n---\n", "~\n"}) {
    CHECK(config_test::errors_of_file(text) == expected);
  }
}

TEST_CASE("several documents are an error", "[config][parse]") {
  CHECK(errors_of("---\n\nprofile: signals\n") ==
        Lines{"c.yaml:5:1: a second document begins here: put all settings into one, without "
              "'---'"});
}

TEST_CASE("empty documents beside the settings are no harm", "[config][parse]") {
  CHECK(settings_of("profile: signals\n---\n# end\n").profile == "signals");
}

TEST_CASE("what is no mapping is an error", "[config][parse]") {
  CHECK(config_test::errors_of_file("- a\n") ==
        Lines{"c.yaml:1:1: must be a mapping of keys to values, not a list"});
  CHECK(config_test::errors_of_file("hello\n") ==
        Lines{"c.yaml:1:1: must be a mapping of keys to values, not a string"});
}

TEST_CASE("YAML's own errors have file and place", "[config][parse]") {
  CHECK(errors_of("profile: a: b\n") ==
        Lines{"c.yaml:3:11: unexpected ':': quote a value that contains ': ', or check the "
              "indentation"});
  CHECK(errors_of("profile: \xff\n") ==
        Lines{"c.yaml:3:10: this is not UTF-8: save the file in that encoding"});
}

TEST_CASE("all errors of a file are told in its order", "[config][parse]") {
  CHECK(errors_of("namespaces:\n- match: [a]\n  profile: nope\nprofiles:\n  a: {extends: b}\n"
                  "  c: {permanent: 0}\nenforcement: no\n") ==
        Lines{"c.yaml:5:12: namespaces[0].profile: there is no profile 'nope': write one of " +
                  std::string(kNames) + ", a, c",
              "c.yaml:7:16: profile 'a' extends 'b', which does not exist: write one of " +
                  std::string(kNames) + ", c",
              "c.yaml:8:18: profiles.c.permanent: '0' is success, which no list can hold: write a "
              "number from 1 to 255",
              "c.yaml:9:14: enforcement: 'no' is not known: write one of deny, warn, audit"});
}

TEST_CASE("a missing file is an error without a place", "[config][load]") {
  const auto settings = config::load("/nowhere/webhook.yaml");
  REQUIRE_FALSE(settings);
  REQUIRE(settings.error().size() == 1);
  CHECK(to_string(settings.error()[0]) ==
        "/nowhere/webhook.yaml: cannot be read: No such file or directory");
}

TEST_CASE("a folder is no file", "[config][load]") {
  const auto settings = config::load("/tmp");
  REQUIRE_FALSE(settings);
  CHECK(to_string(settings.error().front()) == "/tmp: cannot be read: Is a directory");
}

TEST_CASE("a file without end is given up", "[config][load]") {
  const auto settings = config::load("/dev/zero");
  REQUIRE_FALSE(settings);
  CHECK(to_string(settings.error().front()) ==
        "/dev/zero: is larger than 4 MiB: this is no configuration file");
}

TEST_CASE("errors of a loaded file name its path", "[config][load]") {
  const support::TemporaryDirectory folder;
  const std::string file = folder.write("webhook.yaml", "Checks: none\n").string();
  const auto settings = config::load(file);
  REQUIRE_FALSE(settings);
  CHECK(to_string(settings.error().front())
            .starts_with(file + ":1:1: unknown key 'Checks': write one of "));
}
