// conformance/vectors.json: what readers of the table in any language have to agree on.

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "exit_codes/annotation.h"
#include "exit_codes/code_list.h"
#include "exit_codes/decision.h"
#include "exit_codes/pod_json.h"
#include "exit_codes/profile.h"
#include "jobs/inputs.h"
#include "tests/support/catch.h"
#include "tests/support/manifest.h"

using nlohmann::json;

namespace {

const json& vectors() {
  static const json instance =
      json::parse(support::read_file(std::string(PROJECT_DIR) + "/conformance/vectors.json"));
  return instance;
}

std::string text_at(const json& vector, const char* key) {
  const auto found = vector.find(key);
  return found == vector.end() || found->is_null() ? std::string() : found->get<std::string>();
}

const char* cause_of(exit_codes::Cause cause) {
  switch (cause) {
    case exit_codes::Cause::succeeded:
      return "succeeded";
    case exit_codes::Cause::disruption:
      return "disruption";
    case exit_codes::Cause::reason:
      return "reason";
    case exit_codes::Cause::no_exit_code:
      return "noExitCode";
    case exit_codes::Cause::code:
      return "code";
    case exit_codes::Cause::retries_used_up:
      return "retriesUsedUp";
  }
  return "";
}

/// What this library decides, as a vector has it.
json decided(const json& vector) {
  const auto table = exit_codes::read_table(text_at(vector, "table"), text_at(vector, "jobTable"));
  if (std::holds_alternative<exit_codes::DecodeError>(table)) return {{"cause", "noTable"}};
  const auto pod = exit_codes::decode_pod(vector["pod"].dump());
  REQUIRE(std::holds_alternative<exit_codes::Pod>(pod));
  const exit_codes::Decision decision =
      exit_codes::decide(std::get<exit_codes::Table>(table), std::get<exit_codes::Pod>(pod),
                         vector["container"].get<std::string>(), vector.value("retries", 0));
  if (decision.cause == exit_codes::Cause::succeeded) return {{"cause", "succeeded"}};
  CHECK_FALSE(decision.because.empty());
  return {{"cause", cause_of(decision.cause)},
          {"verdict", exit_codes::to_string(decision.verdict)},
          {"handledAs", exit_codes::to_string(decision.handled_as)}};
}

/// The annotations of `object` as the webhook reads them; they live as long as it.
jobs::Annotations annotations_of(const json& object) {
  jobs::Annotations annotations{.shape = jobs::Shape::object, .bytes = 0, .ours = {}};
  for (const auto& [key, value] : object.items()) {
    annotations.ours.push_back({key, {jobs::Shape::string, value.get_ref<const std::string&>()}});
  }
  return annotations;
}

/// The one profile that a vector defines: `extends`, lists and maxRetries.
exit_codes::ProfileDefinition definition_of(const std::string& name, const json& fields) {
  exit_codes::ProfileDefinition definition;
  definition.name = name;
  definition.extends = fields.value("extends", "kubeflow");
  const auto codes = [&fields](const char* key) {
    exit_codes::CodeSet set;
    if (!fields.contains(key)) return set;
    std::string list;
    if (fields[key].is_string()) {
      list = fields[key].get<std::string>();
    } else {
      for (const json& item : fields[key]) {
        if (!list.empty()) list += ",";
        list += item.is_string() ? item.get<std::string>() : item.dump();
      }
    }
    return std::get<exit_codes::CodeSet>(exit_codes::parse_code_list(list));
  };
  definition.overrides.retryable = codes("retryable");
  definition.overrides.permanent = codes("permanent");
  if (fields.contains("maxRetries")) {
    definition.overrides.max_retries = fields["maxRetries"].get<int>();
  }
  return definition;
}

void check_inputs(const json& vector) {
  std::vector<exit_codes::ProfileDefinition> definitions;
  const json profiles_json = vector.value("profiles", json::object());
  for (const auto& [name, fields] : profiles_json.items()) {
    definitions.push_back(definition_of(name, fields));
  }
  const auto profiles = std::get<exit_codes::Profiles>(exit_codes::Profiles::make(definitions));
  const exit_codes::Table& fallback = *profiles.find(vector["profile"].get<std::string>());
  const json replica_json = vector.value("replica", json::object());
  const jobs::Annotations on_job = annotations_of(vector["job"]);
  const jobs::Annotations on_replica = annotations_of(replica_json);
  const jobs::Inputs job = jobs::read_inputs(on_job, profiles);
  const jobs::Inputs replica = jobs::read_inputs(on_replica, profiles);
  const json& expect = vector["expect"];
  if (expect.contains("invalid")) {
    std::vector<std::string> keys;
    keys.reserve(job.problems.size());
    for (const auto& problem : job.problems) keys.emplace_back(problem.key);
    std::ranges::sort(keys);
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    CHECK(keys == expect["invalid"].get<std::vector<std::string>>());
    return;
  }
  CHECK(job.problems.empty());
  CHECK(exit_codes::encode(jobs::make_table(fallback, job)) == expect["job"].get<std::string>());
  if (expect.contains("replica")) {
    CHECK(exit_codes::encode(jobs::make_table(fallback, job, replica)) ==
          expect["replica"].get<std::string>());
  }
}

}  // namespace

TEST_CASE("there are at least 200 vectors", "[conformance]") {
  CHECK(vectors()["decisions"].size() + vectors()["tables"].size() + vectors()["inputs"].size() >=
        200);
}

TEST_CASE("every pod is judged as its vector says", "[conformance]") {
  for (const json& vector : vectors()["decisions"]) {
    INFO(vector["name"]);
    CHECK(decided(vector) == vector["expect"]);
  }
}

TEST_CASE("every table is read as its vector says", "[conformance]") {
  for (const json& vector : vectors()["tables"]) {
    INFO(vector["name"]);
    const auto decoded = exit_codes::decode(vector["value"].get<std::string>());
    const auto* const table = std::get_if<exit_codes::Table>(&decoded);
    CHECK((table != nullptr) == vector["valid"].get<bool>());
    if (table != nullptr)
      CHECK(exit_codes::encode(*table) == vector["canonical"].get<std::string>());
  }
}

TEST_CASE("inputs make the tables that their vectors say", "[conformance]") {
  for (const json& vector : vectors()["inputs"]) {
    INFO(vector["name"]);
    check_inputs(vector);
  }
}
