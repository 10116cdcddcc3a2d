#include "admission/rendered_table.h"

#include <string>

#include <nlohmann/json.hpp>

#include "admission/settings.h"
#include "exit_codes/annotation.h"
#include "tests/support/catch.h"
#include "tests/support/review.h"

using admission::PatchLevel;
using nlohmann::json;

TEST_CASE("every profile is rendered as it would be encoded", "[admission][rendered_table]") {
  const admission::Settings settings;
  const auto tables = settings.profiles.all();
  REQUIRE(settings.rendered.size() == tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string value = exit_codes::encode(tables[i]);
    const admission::RenderedTable& rendered = settings.rendered[i];
    CHECK(rendered.value == value);
    const json annotations{{"exit-codes.kubeflow.org/table", value}};
    CHECK(json::parse(rendered.json[0]) == json(value));
    CHECK(json::parse(rendered.json[1]) == annotations);
    CHECK(json::parse(rendered.json[2]) == json{{"annotations", annotations}});
    for (std::size_t level = 0; level < admission::kPatchLevels; ++level) {
      const std::string& piece = rendered.piece[level];
      CHECK(piece.find('=') == std::string::npos);
      CHECK(json::parse("{" + support::base64_decode(piece))["value"] ==
            json::parse(rendered.json[level]));
    }
  }
}

TEST_CASE("a value is wrapped in what is missing around it", "[admission][rendered_table]") {
  CHECK(admission::patch_value("a\"b", PatchLevel::table) == R"("a\"b")");
  CHECK(admission::patch_value("T", PatchLevel::annotations) ==
        R"({"exit-codes.kubeflow.org/table":"T"})");
  CHECK(admission::patch_value("T", PatchLevel::metadata) ==
        R"({"annotations":{"exit-codes.kubeflow.org/table":"T"}})");
}
