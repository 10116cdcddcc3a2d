// Real manifests from a folder outside the repository, which SAMPLES_DIR names. Not in the list of
// tests where it is unset; a folder that is missing or empty fails.

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/manifest.h"
#include "tests/support/process.h"
#include "tests/support/review.h"
#include "tests/support/webhook_process.h"

using nlohmann::ordered_json;
using support::make_review;

namespace {

constexpr const char* kTable = "exit-codes.kubeflow.org/table";

bool has_table(const ordered_json& metadata) {
  return metadata.is_object() && metadata.contains("annotations") &&
         metadata["annotations"].contains(kTable);
}

/// The annotation keys of `object` that are under our prefix, taken out, with what was made for
/// them.
void strip_tables(ordered_json& object, const ordered_json& original) {
  if (!object.is_structured()) return;
  for (auto& [key, value] : object.items()) {
    const ordered_json before = original.is_object() && original.contains(key) ? original[key]
                                : original.is_array()
                                    ? original[static_cast<std::size_t>(std::stoul(key))]
                                    : ordered_json();
    strip_tables(value, before);
  }
  if (!object.is_object()) return;
  if (object.contains("annotations")) {
    object["annotations"].erase(kTable);
    if (object["annotations"].empty() && !original.contains("annotations")) {
      object.erase("annotations");
    }
  }
  if (object.contains("metadata") && object["metadata"].empty() && !original.contains("metadata")) {
    object.erase("metadata");
  }
}

}  // namespace

TEST_CASE("every sample is annotated over TLS and otherwise unharmed", "[samples]") {
  const support::WebhookProcess webhook;
  for (const support::Manifest& sample : support::load_manifests(SAMPLES_DIR)) {
    INFO(sample.name);
    const auto reply = webhook.post("/mutate", make_review(sample.object).dump());
    REQUIRE(reply.status == 200);
    const auto answer = ordered_json::parse(reply.body);
    REQUIRE(answer["response"]["allowed"] == true);
    const ordered_json stored = support::patched(sample.object, answer);
    CHECK(has_table(stored["metadata"]));

    for (const auto& [field, specs] : stored["spec"].items()) {
      if (!field.ends_with("eplicaSpecs")) continue;
      for (const auto& replica : specs) {
        const bool wanted =
            field == "replicaSpecs" || replica.value("restartPolicy", "") == "ExitCode";
        CHECK(has_table(replica["template"].value("metadata", ordered_json())) == wanted);
      }
    }
    ordered_json stripped = stored;
    strip_tables(stripped, sample.object);
    CHECK(stripped == sample.object);
    CHECK(support::patch_of(support::answer(make_review(stored).dump())).empty());
  }
}

TEST_CASE("every sample with a policy that is none is denied", "[samples]") {
  for (const support::Manifest& sample : support::load_manifests(SAMPLES_DIR)) {
    INFO(sample.name);
    ordered_json broken = sample.object;
    for (auto& [field, specs] : broken["spec"].items()) {
      if (field == "replicaSpecs") specs[0]["template"]["spec"]["restartPolicy"] = "Sometimes";
      if (field.ends_with("ReplicaSpecs")) specs.front()["restartPolicy"] = "Sometimes";
    }
    const auto response = support::answer(make_review(broken).dump())["response"];
    CHECK(response["allowed"] == false);
    CHECK(response["auditAnnotations"]["rules"] == "invalid-restart-policy");
  }
}

TEST_CASE("lint has nothing to say of any sample but where the operator parts from the table",
          "[samples][lint]") {
  // The only sample under ExitCode is an XGBoostJob, which tf-operator 1.2 does not serve.
  const support::Finished other = support::run_program(
      {"lint", "--output", "json", "--operator", "tf-operator/1.2", SAMPLES_DIR});
  CHECK(other.out == "[]\n");
  CHECK(other.status == 0);
  const support::Finished finished =
      support::run_program({"lint", "--output", "json", SAMPLES_DIR});
  CHECK(finished.status == 0);
  for (const auto& finding : nlohmann::json::parse(finished.out)) {
    CHECK(finding["rule"] == "operator-disagrees");
    CHECK(finding["severity"] == "warning");
    CHECK(finding["message"].get<std::string>().starts_with(
        "training-operator/1.9 retries 128, 129, 131-136, 139-142, 144-255, OOMKilled (permanent "
        "in the table)"));
  }
}
