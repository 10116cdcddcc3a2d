#include <chrono>
#include <string>
#include <string_view>

#include "tests/support/catch.h"
#include "yaml/json.h"
#include "yaml/parse.h"

namespace {

std::string show(const yaml::Error& error) {
  return std::to_string(error.mark.line) + ":" + std::to_string(error.mark.column) + ": " +
         error.message;
}

/// What is said of a text that cannot be read.
std::string error_of(std::string_view text) {
  const auto documents = yaml::parse(text);
  return documents ? "no error" : show(documents.error());
}

/// What is said of a text that can be read but is no JSON.
std::string json_error_of(std::string_view text) {
  const auto documents = yaml::parse(text);
  if (!documents) return "not even YAML";
  const auto json = yaml::to_json(documents->at(0).root);
  return json ? "no error" : show(json.error());
}

}  // namespace

TEST_CASE("tabs cannot indent", "[yaml][error]") {
  CHECK(error_of("a:\n\tb: 1\n") == "2:1: a tab cannot indent: use spaces");
  CHECK(error_of("a: 1\n\tb: 2\n") == "2:1: a tab cannot indent: use spaces");
  CHECK(error_of("a: |\n  b\n\tc\n") == "3:1: a tab cannot indent: use spaces");
}

TEST_CASE("syntax errors tell the place and the mend", "[yaml][error]") {
  CHECK(error_of("a: @x\n") == "1:4: a value cannot begin with '@': quote it");
  CHECK(error_of("é: `x`\n") == "1:4: a value cannot begin with '`': quote it");
  CHECK(error_of("a: b: c\n") ==
        "1:5: unexpected ':': quote a value that contains ': ', or check the indentation");
  CHECK(error_of("a: - b\n") ==
        "1:4: unexpected '-': begin a list on a line of its own, or quote the value");
  CHECK(error_of("a: ? b\n") == "1:4: unexpected '?': check the indentation, or quote the value");
  CHECK(error_of("a: 1\nfoo\nb: 2\n") ==
        "2:1: no ':' follows this key: write 'key: value', or check the indentation");
  CHECK(error_of("a:\n  b: 1\n c: 1\n") ==
        "3:2: expected a key of the mapping here: check the indentation and the quotes before");
  CHECK(error_of("- 1\nb: 2\n") ==
        "2:1: expected '- ' and the next item of the list here: check the indentation");
  CHECK(error_of("a: [1, 2\nb: 1\n") ==
        "2:2: the list opened in line 1 goes on: expected ',' or ']' here");
  CHECK(error_of("\na: {b: 1\n") ==
        "3:1: the mapping opened in line 2 goes on: expected ',' or '}' here");
  CHECK(error_of("a: 1\nb: \"x\n") == "2:4: the quote that opens here is not closed");
  CHECK(error_of("a: 'x\n---\n") ==
        "1:4: the quote that opens here is not closed before the document ends");
  CHECK(error_of("a: \"\\q\"\n") ==
        "1:5: unknown escape: write '\\\\' for a backslash, or use single quotes");
  CHECK(error_of("a: \"\\xzz\"\n") == "1:7: expected hexadecimal digits behind this escape");
  CHECK(error_of("a: \"\\ud800\"\n") == "1:7: this escape stands for no character");
  CHECK(error_of("a: !foo!x y\n") ==
        "1:4: this tag is not defined: quote a value that begins with '!'");
  CHECK(error_of("a: |x\n b\n") ==
        "1:5: expected the end of the line here: the text after '|' or '>' begins on the next");
  CHECK(error_of("a: |0\n b\n") == "1:5: the indentation must be 1 to 9");
  CHECK(error_of("{a: 1}}\n") == "1:7: expected '---' or the end of the file here");
  CHECK(error_of("]") == "1:1: expected a value here");
  CHECK(error_of("%YAML 2.0\n---\na\n") == "1:1: only YAML 1.1 and 1.2 can be read");
}

TEST_CASE("what libyaml says of rare mistakes is passed on", "[yaml][error]") {
  CHECK(error_of("a: & b\n") ==
        "1:5: did not find expected alphabetic or numeric character while scanning an anchor");
}

TEST_CASE("bytes that are no text are told by their place", "[yaml][error]") {
  CHECK(error_of("a: é\nb: \xff\n") == "2:4: this is not UTF-8: save the file in that encoding");
  CHECK(error_of("a: \xc3") == "1:4: this is not UTF-8: save the file in that encoding");
  CHECK(error_of("a: \xed\xa0\x80") == "1:4: this is not UTF-8: save the file in that encoding");
  CHECK(error_of("a: \xc0\x80") == "1:4: this is not UTF-8: save the file in that encoding");
  CHECK(error_of("a: \xf4\x90\x80\x80") ==
        "1:4: this is not UTF-8: save the file in that encoding");
  CHECK(error_of(std::string_view("\xff\xfe"
                                  "a\0",
                                  4)) == "1:1: this is UTF-16: save it as UTF-8");
  const std::string control =
      "this control character cannot be written: use an escape in double quotes";
  CHECK(error_of("a: 1\né: \x01\n") == "2:4: " + control);
  CHECK(error_of(std::string_view("a: \0", 4)) == "1:4: " + control);
  CHECK(error_of("\xEF\xBB\xBF"
                 "a: \x07\n") == "1:4: " + control);
}

TEST_CASE("aliases need an anchor before them", "[yaml][alias]") {
  CHECK(error_of("a: *x\nb: &x 1\n") == "1:4: no anchor '&x' comes before this alias");
  CHECK(error_of("a: &x 1\n---\nb: *x\n") == "3:4: no anchor '&x' comes before this alias");
}

TEST_CASE("an anchor cannot contain itself", "[yaml][alias]") {
  CHECK(error_of("a: &x [1, *x]\n") == "1:11: the anchor '&x' contains itself");
  CHECK(error_of("a: &x\n  b: {c: *x}\n") == "2:10: the anchor '&x' contains itself");
  CHECK(error_of("a: &x\n  <<: *x\n") == "2:7: the anchor '&x' contains itself");
}

TEST_CASE("merge keys take mappings only", "[yaml][merge]") {
  const std::string mend = "'<<' takes a mapping or a list of mappings, as in '<<: *defaults'";
  CHECK(error_of("<<: 1\n") == "1:5: " + mend);
  CHECK(error_of("a: &x [{b: 1}]\nc: {<<: *x}\n") == "2:9: " + mend);
  CHECK(error_of("<<: [{a: 1}, 2]\n") == "1:14: " + mend);
  CHECK(error_of("<<:\n") == "1:4: " + mend);
}

TEST_CASE("keys that kubectl refuses are errors", "[yaml][key]") {
  CHECK(error_of("a: {{b: 1}: 2}\n") ==
        "1:5: a mapping cannot be a key: if this is a value with braces or brackets, quote it");
  CHECK(error_of("[a]: 2\n") ==
        "1:1: a list cannot be a key: if this is a value with braces or brackets, quote it");
  CHECK(error_of("a: {{ .Values.x }}\n") ==
        "1:5: a mapping cannot be a key: if this is a value with braces or brackets, quote it");
  CHECK(error_of("~: 2\n") == "1:1: null cannot be a key: write a name before the ':'");
  CHECK(error_of("18446744073709551615: 2\n") ==
        "1:1: '18446744073709551615' is too large a number for a key: quote it");
  CHECK(error_of("!!int x: 2\n") == "1:1: 'x' is no !!int: correct it or remove the tag");
}

TEST_CASE("what JSON cannot hold is an error", "[yaml][json]") {
  CHECK(json_error_of("a: .inf\n") == "1:4: JSON has no '.inf': write a number, or quote it");
  CHECK(json_error_of("a: [1, .NaN]\n") == "1:8: JSON has no '.NaN': write a number, or quote it");
  CHECK(json_error_of("a: !!binary aGk=\n") ==
        "1:4: !!binary cannot be written as JSON: give the base64 text without it");
  CHECK(json_error_of("a: !!int twelve\n") ==
        "1:4: 'twelve' is no !!int: correct it or remove the tag");
  CHECK(json_error_of("a: !!bool 1\n") == "1:4: '1' is no !!bool: correct it or remove the tag");
  CHECK(json_error_of("a: !!null x\n") == "1:4: 'x' is no !!null: correct it or remove the tag");
  CHECK(json_error_of("a: !!float x\n") == "1:4: 'x' is no !!float: correct it or remove the tag");
  CHECK(json_error_of("a: !!int \"" + std::string(39, 'x') + "é\ny\"\n") ==
        "1:4: '" + std::string(39, 'x') + "é...' is no !!int: correct it or remove the tag");
}

TEST_CASE("nesting has a limit", "[yaml][limits]") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(error_of(nested(yaml::kMaxDepth)) == "no error");
  CHECK(error_of(nested(yaml::kMaxDepth + 1)) == "1:201: nested deeper than 200 levels");
  CHECK(error_of(std::string(200'000, '[')) == "1:201: nested deeper than 200 levels");
  CHECK(error_of(std::string(200'000, '{')) != "no error");
  std::string dashes;
  for (int i = 0; i < 100'000; ++i) dashes += "- ";
  CHECK(error_of(dashes) == "1:401: nested deeper than 200 levels");
}

TEST_CASE("aliases cannot nest deeper either", "[yaml][limits]") {
  std::string text = "- &a0 []\n";
  for (int i = 1; i < 300; ++i) {
    text += "- &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  CHECK(error_of(text) == "200:10: nested deeper than 200 levels");
}

TEST_CASE("a billion laughs end in an error, soon", "[yaml][limits]") {
  const std::string message = "aliases stand for more than 400000 nodes: write fewer of them";
  std::string lists = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  std::string merges = "a0: &a0 {k: x}\n";
  for (int i = 1; i < 30; ++i) {
    const std::string name = "a" + std::to_string(i);
    std::string aliases;
    for (int j = 0; j < 10; ++j) aliases.append("*a").append(std::to_string(i - 1)).append(", ");
    lists.append(name).append(": &").append(name).append(" [").append(aliases).append("]\n");
    merges.append(name).append(": &").append(name).append(" {<<: [").append(aliases).append("]}\n");
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK(error_of(lists) == "6:20: " + message);
  CHECK(error_of(merges).ends_with(message));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("as many aliases as people write are fine", "[yaml][limits]") {
  std::string text = "x: &x {a: 1, b: [1, 2, 3], c: {d: e}}\nlist:\n";
  for (int i = 0; i < 5'000; ++i) text += "- {<<: *x, b: " + std::to_string(i) + "}\n";
  const auto documents = yaml::parse(text);
  REQUIRE(documents);
  const auto json = yaml::to_json(documents->at(0).root);
  REQUIRE(json);
  CHECK((*json)["list"].size() == 5'000);
  CHECK((*json)["list"][4'999].dump() == R"({"a":1,"b":4999,"c":{"d":"e"}})");
}
