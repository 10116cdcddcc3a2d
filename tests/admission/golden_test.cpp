#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/manifest.h"
#include "tests/support/review.h"

// Every test manifest as a review and its answer, kept in testdata/reviews. Run with
// UPDATE_GOLDEN=1 in the environment to write what is answered now, then read the difference.

using nlohmann::ordered_json;

namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(TESTDATA_DIR) / "reviews";

bool updating() { return std::getenv("UPDATE_GOLDEN") != nullptr; }

/// What golden files hold: the review, the answer, and the answer's patch decoded, for the reader.
ordered_json golden_of(const ordered_json& review, const ordered_json& answer) {
  return {{"review", review}, {"answer", answer}, {"patch", support::patch_of(answer)}};
}

void check_golden(const std::string& name, const ordered_json& review) {
  INFO(name);
  const ordered_json golden = golden_of(review, support::answer(review.dump()));
  const fs::path file = kGolden / (name + ".json");
  if (updating()) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << golden.dump(1) << '\n';
    return;
  }
  REQUIRE(fs::exists(file));
  CHECK(ordered_json::parse(support::read_file(file)) == golden);
}

/// As kubectl would have it stored: annotated, where the webhook lets it in.
ordered_json stored(const ordered_json& object) {
  return support::patched(object, support::answer(support::make_review(object).dump()));
}

/// The UPDATE of a user who applies the manifest again with one more field.
ordered_json update_of(const ordered_json& object) {
  ordered_json changed = object;
  changed["metadata"]["labels"]["changed"] = "true";
  return support::make_review(changed, {.operation = "UPDATE", .old_object = stored(object)});
}

std::vector<std::string> groups() { return {"valid", "warned", "invalid"}; }

}  // namespace

TEST_CASE("every manifest is answered as before", "[admission][golden]") {
  for (const std::string& group : groups()) {
    for (const support::Manifest& manifest : support::test_manifests(group)) {
      check_golden(group + "/" + manifest.name + ".create", support::make_review(manifest.object));
      check_golden(group + "/" + manifest.name + ".update", update_of(manifest.object));
    }
  }
}

TEST_CASE("no golden file is left over", "[admission][golden]") {
  std::vector<std::string> expected;
  for (const std::string& group : groups()) {
    for (const support::Manifest& manifest : support::test_manifests(group)) {
      for (const char* operation : {".create.json", ".update.json"}) {
        expected.push_back(group + "/" + manifest.name + operation);
      }
    }
  }
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(kGolden)) {
    if (entry.is_regular_file()) found.push_back(fs::relative(entry, kGolden).string());
  }
  std::ranges::sort(expected);
  std::ranges::sort(found);
  CHECK(found == expected);
}

TEST_CASE("what a manifest has besides tables is unharmed", "[admission][golden]") {
  for (const std::string group : {"valid", "warned"}) {
    for (const support::Manifest& manifest : support::test_manifests(group)) {
      INFO(group << "/" << manifest.name);
      const ordered_json after = stored(manifest.object);
      // Every difference is a table, or the metadata or annotations made for one.
      for (const auto& operation : ordered_json::diff(manifest.object, after)) {
        INFO(operation.dump());
        const auto path = operation["path"].get<std::string>();
        const bool is_table = path.ends_with("/annotations/exit-codes.kubeflow.org~1table");
        const bool is_made = path.ends_with("/metadata") || path.ends_with("/metadata/annotations");
        CHECK((is_table || is_made));
        if (!is_made) continue;
        const auto& value =
            path.ends_with("/annotations") ? operation["value"] : operation["value"]["annotations"];
        CHECK(value.size() == 1);
        CHECK(value.contains("exit-codes.kubeflow.org/table"));
      }
      CHECK(after["metadata"]["annotations"].contains("exit-codes.kubeflow.org/table"));
    }
  }
}

TEST_CASE("answering twice changes nothing", "[admission][golden]") {
  for (const std::string group : {"valid", "warned"}) {
    for (const support::Manifest& manifest : support::test_manifests(group)) {
      INFO(group << "/" << manifest.name);
      const ordered_json once = stored(manifest.object);
      CHECK(support::patch_of(support::answer(support::make_review(once).dump())).empty());
      const auto update = support::make_review(once, {.operation = "UPDATE", .old_object = once});
      CHECK(support::patch_of(support::answer(update.dump())).empty());
    }
  }
}

TEST_CASE("an invalid manifest that is stored already can be updated, with warnings",
          "[admission][golden]") {
  for (const support::Manifest& manifest : support::test_manifests("invalid")) {
    INFO(manifest.name);
    CHECK(support::answer(support::make_review(manifest.object).dump())["response"]["allowed"] ==
          false);
    const auto update = support::make_review(
        manifest.object, {.operation = "UPDATE", .old_object = manifest.object});
    const auto response = support::answer(update.dump())["response"];
    CHECK(response["allowed"] == true);
    CHECK(response["auditAnnotations"]["outcome"] == "ratcheted");
    for (const auto& warning : response["warnings"]) {
      CHECK(warning.get<std::string>().size() <= 120);
    }
  }
}

TEST_CASE("64-bit integers and unknown fields are unharmed", "[admission][golden]") {
  auto object = support::test_manifest("valid", "tfjob-v1-wide-numbers").object;
  object["spec"]["someFieldOfTomorrow"] = {{"wide", 9223372036854775807},
                                           {"negative", -9223372036854775807},
                                           {"unsigned", 18446744073709551615U}};
  const ordered_json after = stored(object);
  CHECK(after["spec"]["someFieldOfTomorrow"].dump() ==
        R"({"wide":9223372036854775807,"negative":-9223372036854775807,)"
        R"("unsigned":18446744073709551615})");
  CHECK(after["spec"]["runPolicy"] == object["spec"]["runPolicy"]);
}
