#include "yaml/json_stream.h"

#include <string>
#include <string_view>

#include "tests/support/catch.h"
#include "yaml/json.h"

using yaml::Mark;
using yaml::Node;
using yaml::parse_json_stream;
using yaml::Stream;

namespace {

/// What is read of `text`, as JSON, document by document.
std::string read(std::string_view text) {
  const Stream stream = parse_json_stream(text);
  std::string all;
  for (const yaml::Document& document : stream.documents) {
    all += yaml::to_json(document.root)->dump() + "\n";
  }
  return all;
}

/// The text that `node` stands for.
std::string_view written(std::string_view text, const Node& node) {
  return text.substr(node.place().begin, node.place().end - node.place().begin);
}

}  // namespace

TEST_CASE("what begins with a brace is JSON to kubectl", "[yaml][json_stream]") {
  CHECK(yaml::looks_like_json(" \n\t{"));
  CHECK_FALSE(yaml::looks_like_json("---\n{}"));
  CHECK_FALSE(yaml::looks_like_json("\xEF\xBB\xBF{}"));
  CHECK_FALSE(yaml::looks_like_json("[]"));
  CHECK_FALSE(yaml::looks_like_json(" "));
}

TEST_CASE("objects are read one after the other", "[yaml][json_stream]") {
  CHECK(read(R"({"a":1} {"b":[true,null,"}{"]}{"c":{"d":-1.5}})") ==
        "{\"a\":1}\n{\"b\":[true,null,\"}{\"]}\n{\"c\":{\"d\":-1.5}}\n");
  CHECK(read(R"({"a":"\ud83d\ude00\/\"\\","b\"":1})") == "{\"a\":\"😀/\\\"\\\\\",\"b\\\"\":1}\n");
  CHECK(read(R"({"a":12345678901234567890,"b":9223372036854775807,"c":"1"})") ==
        "{\"a\":12345678901234567890,\"b\":9223372036854775807,\"c\":\"1\"}\n");
  CHECK(read("{}") == "{}\n");
}

TEST_CASE("places are as in YAML", "[yaml][json_stream]") {
  const std::string_view text =
      "{\n\t\"größe\": \"ä\", \"b\" : [ 1 , {\"c\\\"\": null } ],\n \"d\": {} }\n{\"e\": 2}";
  const Stream stream = parse_json_stream(text);
  REQUIRE(stream.documents.size() == 2);
  const Node& root = stream.documents[0].root;
  CHECK(root.mark() == Mark{1, 1});
  CHECK(root.entries()[0].key.mark() == Mark{2, 2});
  CHECK(root.entries()[0].value.mark() == Mark{2, 11});
  const Node& list = *root.find("b");
  CHECK(list.mark() == Mark{2, 22});
  CHECK(written(text, list) == "[ 1 , {\"c\\\"\": null } ]");
  CHECK(written(text, list.items()[0]) == "1");
  CHECK(written(text, list.items()[1]) == "{\"c\\\"\": null }");
  CHECK(written(text, list.items()[1].entries()[0].key) == "\"c\\\"\"");
  CHECK(written(text, *root.find("d")) == "{}");
  CHECK(written(text, root) == text.substr(0, text.find("\n{\"e")));
  CHECK(stream.documents[1].root.find("e")->mark() == Mark{4, 7});
  CHECK(written(text, stream.documents[1].root) == "{\"e\": 2}");
}

TEST_CASE("two equal keys are both kept", "[yaml][json_stream]") {
  const Stream stream = parse_json_stream(R"({"a":1,"a":2})");
  CHECK(stream.documents.at(0).root.entries().size() == 2);
}

TEST_CASE("what is no JSON can be YAML in flow style", "[yaml][json_stream]") {
  CHECK(read("{a: b, 'c': [d,],} # with a comment\n") == "{\"a\":\"b\",\"c\":[\"d\"]}\n");
  CHECK(read("{\"a\":1}\n---\nb: 2\n") == "{\"a\":1}\n{\"b\":2}\n");
  CHECK(parse_json_stream("{\"a\": [}").error->mark == Mark{1, 8});
  CHECK(parse_json_stream("{\"a\": \xFF}").error->message ==
        "this is not UTF-8: save the file in that encoding");
}

TEST_CASE("what only begins as a literal is none", "[yaml][json_stream]") {
  // Plain strings of YAML.
  CHECK(read(R"({"a":[nul],"b":nullx})") == "{\"a\":[\"nul\"],\"b\":\"nullx\"}\n");
  CHECK(read(R"({"a":[tru],"b":truex})") == "{\"a\":[\"tru\"],\"b\":\"truex\"}\n");
  CHECK(read(R"({"a":[falsy],"b":falsee})") == "{\"a\":[\"falsy\"],\"b\":\"falsee\"}\n");
  CHECK(read(R"({"a":[true,false,null],"b":null,"c":true})") ==
        "{\"a\":[true,false,null],\"b\":null,\"c\":true}\n");
}

TEST_CASE("a later object that is broken is told at its place", "[yaml][json_stream]") {
  const Stream stream = parse_json_stream("{\"ä\":1}\n{\"a\": [}\n{}");
  CHECK(stream.documents.size() == 1);
  CHECK(stream.error->mark == Mark{2, 8});
  const Stream yaml = parse_json_stream("{\"a\":1}\n {a: b}");
  CHECK(yaml.error->mark == Mark{2, 2});
  CHECK(yaml.error->message.starts_with("this object is not JSON, as the one before it is"));
  CHECK(parse_json_stream("{\"a\":1}{\"b\":\"").error.has_value());
}

TEST_CASE("limits are those of YAML", "[yaml][json_stream]") {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
  };
  CHECK_FALSE(parse_json_stream(nested(yaml::kMaxDepth)).error);
  CHECK(parse_json_stream(nested(yaml::kMaxDepth + 1)).error->message ==
        "nested deeper than 200 levels");
  std::string many = "{}\n{\"a\":[";
  for (std::size_t i = 0; i < yaml::kMaxNodes; ++i) many += "1,";
  const Stream stream = parse_json_stream(many + "1]}");
  CHECK(stream.documents.size() == 1);
  CHECK(stream.error->mark == Mark{2, 1});
  CHECK(stream.error->message == "more than 2000000 values: split the file");
}
