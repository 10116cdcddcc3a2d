#include "admission/patch.h"

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/review.h"

using admission::PatchOperation;
using admission::WantedTable;
using jobs::Annotations;
using jobs::Shape;

namespace {

const std::string kTable = "exit-codes.kubeflow.org/table";
const std::string kPath = "/metadata/annotations/exit-codes.kubeflow.org~1table";

Annotations with_table(std::string_view value) {
  return {.shape = Shape::object, .bytes = 0, .ours = {{kTable, {Shape::string, value}}}};
}

}  // namespace

TEST_CASE("tokens of a JSON Pointer are escaped", "[admission][patch]") {
  CHECK(admission::escape_pointer("a/b~c") == "a~1b~0c");
  CHECK(admission::escape_pointer("~1") == "~01");
  CHECK(admission::escape_pointer("&<>\"") == "&<>\"");
}

TEST_CASE("missing levels are created", "[admission][patch]") {
  for (const Shape missing : {Shape::absent, Shape::null}) {
    const auto whole = admission::set_table("/metadata", missing, {}, WantedTable{"T"});
    REQUIRE(whole);
    CHECK(whole->path == "/metadata");
    CHECK(whole->value == R"({"annotations":{"exit-codes.kubeflow.org/table":"T"}})");

    const auto annotations = admission::set_table(
        "/metadata", Shape::object, {.shape = missing, .bytes = 0, .ours = {}}, WantedTable{"T"});
    REQUIRE(annotations);
    CHECK(annotations->path == "/metadata/annotations");
    CHECK(annotations->value == R"({"exit-codes.kubeflow.org/table":"T"})");
  }
}

TEST_CASE("the table is added, replaced or removed beside other annotations",
          "[admission][patch]") {
  const Annotations none{.shape = Shape::object, .bytes = 0, .ours = {}};
  const auto added =
      admission::set_table("/metadata", Shape::object, none, WantedTable{R"({"a":1})"});
  REQUIRE(added);
  CHECK(added->path == kPath);
  CHECK(added->value == R"("{\"a\":1}")");

  const auto replaced =
      admission::set_table("/metadata", Shape::object, with_table("old"), WantedTable{"new"});
  REQUIRE(replaced);
  CHECK(replaced->value == R"("new")");

  const auto removed =
      admission::set_table("/metadata", Shape::object, with_table("old"), std::nullopt);
  REQUIRE(removed);
  CHECK(removed->path == kPath);
  CHECK_FALSE(removed->value);
}

TEST_CASE("what is so already needs no operation", "[admission][patch]") {
  CHECK_FALSE(admission::set_table("/metadata", Shape::object, with_table("T"), WantedTable{"T"}));
  CHECK_FALSE(admission::set_table("/metadata", Shape::absent, {}, std::nullopt));
  CHECK_FALSE(admission::set_table("/metadata", Shape::object,
                                   {.shape = Shape::object, .bytes = 0, .ours = {}}, std::nullopt));
}

TEST_CASE("a place that is no object is left alone", "[admission][patch]") {
  CHECK_FALSE(admission::set_table("/metadata", Shape::string, {}, WantedTable{"T"}));
  CHECK_FALSE(admission::set_table("/metadata", Shape::object,
                                   {.shape = Shape::array, .bytes = 0, .ours = {}},
                                   WantedTable{"T"}));
}

TEST_CASE("a patch is a JSON list of operations", "[admission][patch]") {
  const std::vector<PatchOperation> patch{{"/a~1b", R"("x")"}, {"/c\"d", std::nullopt}};
  CHECK(admission::to_json(patch) ==
        R"([{"op":"add","path":"/a~1b","value":"x"},{"op":"remove","path":"/c\"d"}])");
  CHECK(admission::to_json({}) == "[]");
}

TEST_CASE("a patch in base64 says what its JSON text says", "[admission][patch]") {
  const admission::RenderedTable rendered(exit_codes::Table{});
  std::vector<PatchOperation> patch;
  const auto base64 = [&] {
    std::string out;
    admission::append_base64(out, patch);
    return nlohmann::json::parse(support::base64_decode(out));
  };
  CHECK(base64() == nlohmann::json::array());
  const Annotations none{.shape = Shape::object, .bytes = 0, .ours = {}};
  patch.push_back(*admission::set_table("/metadata", Shape::object, none,
                                        WantedTable{rendered.value, &rendered}));
  patch.push_back({"/a", std::nullopt});
  patch.push_back(*admission::set_table("/spec/x/template/metadata", Shape::absent, {},
                                        WantedTable{rendered.value, &rendered}));
  patch.push_back(*admission::set_table("/spec/y/template/metadata", Shape::object, none,
                                        WantedTable{"another"}));
  CHECK(base64() == nlohmann::json::parse(admission::to_json(patch)));
  CHECK(base64().size() == 4);
}
