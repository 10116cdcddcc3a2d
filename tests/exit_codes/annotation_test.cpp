#include "exit_codes/annotation.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "exit_codes/profile.h"
#include "tests/support/catch.h"

namespace exit_codes {
namespace {

constexpr std::string_view kKubeflow =
    R"({"version":1,"profile":"kubeflow","permanent":[1,2,126,127,128,139],)"
    R"("retryable":[130,137,138,143],"undefined":"permanent","reasons":{"OOMKilled":"permanent"},)"
    R"("disruption":"retryable","noExitCode":"retryable"})";

Table decoded(std::string_view value) {
  const auto result = decode(value);
  if (const auto* error = std::get_if<DecodeError>(&result)) FAIL(error->message);
  return std::get<Table>(result);
}

std::string error_of(std::string_view value) {
  const auto result = decode(value);
  if (!std::holds_alternative<DecodeError>(result)) FAIL("was read: " << value.substr(0, 200));
  return std::get<DecodeError>(result).message;
}

constexpr unsigned kSeed = 20261201;  // the same tables and bytes in each run

/// The kubeflow table with its one occurrence of `from` replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string value(kKubeflow);
  const auto at = value.find(from);
  REQUIRE(at != std::string::npos);
  return value.replace(at, from.size(), to);
}

Table random_table(std::mt19937& random) {
  const std::vector<std::string> strings{"",
                                         "a",
                                         "my-cloud",
                                         "Evicted",
                                         "OOMKilled",
                                         "q\"uo\\te",
                                         "tab\tline\n",
                                         "\u00E4\u20AC",
                                         "<&>",
                                         "\x7F",
                                         std::string("zero\0", 5),
                                         "\U0001F600"};
  const auto pick = [&random](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
  };
  const auto verdict = [&pick] { return pick(2) == 0 ? Verdict::retryable : Verdict::permanent; };
  Table table;
  table.profile = strings[pick(strings.size())];
  for (int code = 1; code <= 255; ++code) {
    const auto side = pick(3);
    if (side == 0) table.permanent.insert(code);
    if (side == 1) table.retryable.insert(code);
  }
  table.undefined = verdict();
  for (auto left = pick(5); left > 0; --left) {
    table.reasons[strings[pick(strings.size())]] = verdict();
  }
  table.disruption = verdict();
  table.no_exit_code = verdict();
  if (pick(2) == 0) table.max_retries = static_cast<int>(pick(kMaxMaxRetries + std::size_t{1}));
  return table;
}

}  // namespace

TEST_CASE("the kubeflow table has the bytes of the contract", "[exit_codes][annotation]") {
  CHECK(encode(built_in_profiles()[0]) == kKubeflow);
}

TEST_CASE("maxRetries stands last, and only when set", "[exit_codes][annotation]") {
  Table table = built_in_profiles()[0];
  table.max_retries = 0;
  std::string expected(kKubeflow);
  expected.pop_back();
  CHECK(encode(table) == expected + R"(,"maxRetries":0})");
  table.max_retries = 999'999'999;
  CHECK(encode(table) == expected + R"(,"maxRetries":999999999})");
}

TEST_CASE("empty lists and reasons are written", "[exit_codes][annotation]") {
  Table table;
  table.profile = "x";
  CHECK(encode(table) ==
        R"({"version":1,"profile":"x","permanent":[],"retryable":[],"undefined":"permanent",)"
        R"("reasons":{},"disruption":"retryable","noExitCode":"retryable"})");
}

TEST_CASE("reasons are sorted and strings escaped", "[exit_codes][annotation]") {
  Table table;
  table.profile = "a\"b\\c\n\x01/\u00E4";
  table.reasons = {{"Z", Verdict::permanent}, {"A\t", Verdict::retryable}};
  CHECK(encode(table) == R"({"version":1,"profile":"a\"b\\c\n\u0001/)"
                         "\u00E4"
                         R"(","permanent":[],"retryable":[],"undefined":"permanent",)"
                         R"("reasons":{"A\t":"retryable","Z":"permanent"},)"
                         R"("disruption":"retryable","noExitCode":"retryable"})");
}

TEST_CASE("strings that are no UTF-8 are still encoded as JSON", "[exit_codes][annotation]") {
  Table table;
  table.profile = "a\xFFz";
  CHECK(decoded(encode(table)).profile == "a\uFFFDz");
}

TEST_CASE("every built-in profile survives the round trip", "[exit_codes][annotation]") {
  for (const Table& table : built_in_profiles()) {
    CHECK(decoded(encode(table)) == table);
  }
}

TEST_CASE("random tables survive the round trip", "[exit_codes][annotation]") {
  std::mt19937 random(kSeed);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const Table table = random_table(random);
    const std::string value = encode(table);
    CHECK(decoded(value) == table);
    CHECK(encode(decoded(value)) == value);
    const auto json = nlohmann::json::parse(value);
    CHECK(json.at("permanent").get<std::vector<int>>() == table.permanent.values());
    CHECK(json.at("retryable").get<std::vector<int>>() == table.retryable.values());
    CHECK(json.contains("maxRetries") == table.max_retries.has_value());
  }
}

TEST_CASE("key order, code order and white space are free", "[exit_codes][annotation]") {
  Table expected = built_in_profiles()[0];
  expected.max_retries = 2;
  CHECK(decoded(" { \"maxRetries\" : 2,\n\t\"noExitCode\":\"retryable\",\"disruption\":"
                "\"retryable\",\"reasons\":{\"OOMKilled\":\"permanent\"},\"undefined\":"
                "\"permanent\",\"retryable\":[143,138,137,130],\"permanent\":[139 ,1,2,126,127,128]"
                ",\"profile\":\"kubeflow\",\"version\":1}\r\n") == expected);
  CHECK(decoded(with("\"version\"", "\"\\u0076ersion\"")) == built_in_profiles()[0]);
}

TEST_CASE("a value that is not as in the contract is refused with what to write",
          "[exit_codes][annotation]") {
  const std::string keys =
      "'version', 'profile', 'permanent', 'retryable', 'undefined', 'reasons', 'disruption', "
      "'noExitCode'";
  const std::string verdict = R"(: write "retryable" or "permanent")";
  const std::string behind = std::to_string(kKubeflow.size() + 1);
  const std::string code = ": write an integer from 1 to 255";
  const std::vector<std::pair<std::string, std::string>> cases{
      // not JSON
      {"", "the table is not JSON: an error at byte 1"},
      {" ", "the table is not JSON: an error at byte 2"},
      {"{", "the table is not JSON: an error at byte 2"},
      {"kubeflow", "the table is not JSON: an error at byte 1"},
      {std::string(kKubeflow) + "x", "the table is not JSON: an error at byte " + behind},
      {std::string(kKubeflow) + "{}", "the table is not JSON: an error at byte " + behind},
      {std::string(kKubeflow) + std::string("\0", 1),
       "the table is not JSON: a zero byte at byte " + behind},
      {std::string(kKubeflow) + std::string("\0junk", 5),
       "the table is not JSON: a zero byte at byte " + behind},
      {"\xEF\xBB\xBF" + std::string(kKubeflow),
       "the table is not JSON: it begins with a byte order mark"},
      {with("\"}", "\",}"), "the table is not JSON: an error at byte 158"},
      {with("[130,", "[130,,"), "the table is not JSON: an error at byte 86"},
      {with("143]", "143,]"), "the table is not JSON: an error at byte 98"},
      {with("\"version\":1", "/**/\"version\":1"), "the table is not JSON: an error at byte 2"},
      {with("\"version\":1", "'version':1"), "the table is not JSON: an error at byte 2"},
      {with("\"noExitCode\"", R"("maxRetries":01,"noExitCode")"),
       "the table is not JSON: an error at byte 198"},
      {with("\"version\":1", "\"version\":+1"), "the table is not JSON: an error at byte 12"},
      {with("\"version\":1", "\"version\":NaN"), "the table is not JSON: an error at byte 12"},
      {with("\"kubeflow\"", "\"kube\xFF\""), "the table is not JSON: an error at byte 29"},
      {with("\"kubeflow\"", "\"kube\xC0\xAF\""), "the table is not JSON: an error at byte 29"},
      {with("\"kubeflow\"", R"("kube\ud800")"), "the table is not JSON: an error at byte 35"},
      {with("\"kubeflow\"", "\"kube\nflow\""), "the table is not JSON: an error at byte 29"},
      // the wrong type of document
      {"null", "the table is null: write a JSON object"},
      {"true", "the table is true: write a JSON object"},
      {"1", "the table is 1: write a JSON object"},
      {"\"kubeflow\"", "the table is the string 'kubeflow': write a JSON object"},
      {"[]", "the table is an array: write a JSON object"},
      {"[" + std::string(kKubeflow) + "]", "the table is an array: write a JSON object"},
      // keys
      {"{}", "keys are missing: " + keys},
      {R"({"version":1})", "keys are missing: " + keys.substr(11)},
      {with(R"("undefined":"permanent",)", ""), "a key is missing: 'undefined'"},
      {with(R"(,"reasons":{"OOMKilled":"permanent"})", ""), "a key is missing: 'reasons'"},
      {with("\"version\":1,", ""), "a key is missing: 'version'"},
      {with("\"retryable\":[", "\"retriable\":["),
       "unknown key 'retriable': did you mean 'retryable'?"},
      {with("\"noExitCode\"", "\"noexitcode\""),
       "unknown key 'noexitcode': did you mean 'noExitCode'?"},
      {with("\"version\"", R"("comment":"x","version")"), "unknown key 'comment': take it out"},
      {with("\"version\"", R"("":1,"version")"), "unknown key '': take it out"},
      {with("\"version\":1", R"("version":1,"version":1)"),
       "the key 'version' stands there twice: keep one"},
      {with("\"permanent\":[", R"("retryable":[],"permanent":[)"),
       "the key 'retryable' stands there twice: keep one"},
      {with("\"profile\"", R"("\u0076ersion":1,"profile")"),
       "the key 'version' stands there twice: keep one"},
      // version
      {with("\"version\":1", "\"version\":0"), "'version' is 0: write 1"},
      {with("\"version\":1", "\"version\":-1"), "'version' is -1: write 1"},
      {with("\"version\":1", "\"version\":1.0"), "'version' is 1.0: write 1"},
      {with("\"version\":1", "\"version\":1e0"), "'version' is 1e0: write 1"},
      {with("\"version\":1", R"("version":"1")"), "'version' is the string '1': write 1"},
      {with("\"version\":1", "\"version\":true"), "'version' is true: write 1"},
      {with("\"version\":1", "\"version\":{}"), "'version' is an object: write 1"},
      {with("\"version\":1", "\"version\":[1]"), "'version' is an array: write 1"},
      // profile
      {with("\"kubeflow\"", "null"), "'profile' is null: write the name of a profile"},
      {with("\"kubeflow\"", "7"), "'profile' is 7: write the name of a profile"},
      {with("\"kubeflow\"", "{}"), "'profile' is an object: write the name of a profile"},
      // codes
      {with("[1,2,", "[0,2,"), "'permanent[0]' is 0" + code},
      {with("[1,2,", "[1,256,"), "'permanent[1]' is 256" + code},
      {with("[1,2,", "[1,-2,"), "'permanent[1]' is -2" + code},
      {with("[1,2,", "[-0,2,"), "'permanent[0]' is -0" + code},
      {with("[1,2,", "[1.0,2,"), "'permanent[0]' is 1.0" + code},
      {with("[1,2,", "[1,2e0,"), "'permanent[1]' is 2e0" + code},
      {with("[1,2,", "[1,\"2\","), "'permanent[1]' is the string '2'" + code},
      {with("[1,2,", "[1,null,"), "'permanent[1]' is null" + code},
      {with("[1,2,", "[1,[2],"), "'permanent[1]' is an array" + code},
      {with("[1,2,", "[1,{},"), "'permanent[1]' is an object" + code},
      {with("[1,2,", "[4294967297,"), "'permanent[0]' is 4294967297" + code},
      {with("[1,2,", "[18446744073709551615,"), "'permanent[0]' is 18446744073709551615" + code},
      {with("[1,2,", "[18446744073709551617,"), "'permanent[0]' is 18446744073709551617" + code},
      {with("[1,2,", "[-9223372036854775808,"), "'permanent[0]' is -9223372036854775808" + code},
      {with("[1,2,", "[1e999,"), "a number is too large at byte 52"},
      {with("[1,2,", "[" + std::string(40, '9') + ","),
       "'permanent[0]' is 999999999999999999999999..." + code},
      {with("[1,2,", "[1,1,"), "'permanent' has 1 twice: keep one"},
      {with("143]", "143,130]"), "'retryable' has 130 twice: keep one"},
      {with("143]", "143,139]"), "'permanent' and 'retryable' both have 139: keep it in one"},
      {with("[1,2,126,127,128,139]", "1"), "'permanent' is 1: write an array of exit codes"},
      {with("[1,2,126,127,128,139]", "null"), "'permanent' is null: write an array of exit codes"},
      {with("[130,137,138,143]", "\"130\""),
       "'retryable' is the string '130': write an array of exit codes"},
      {with("[130,137,138,143]", "{}"), "'retryable' is an object: write an array of exit codes"},
      // verdicts
      {with(R"("undefined":"permanent")", R"("undefined":"undefined")"),
       "'undefined' is the string 'undefined'" + verdict},
      {with(R"("undefined":"permanent")", R"("undefined":"Permanent")"),
       "'undefined' is the string 'Permanent'" + verdict},
      {with(R"("undefined":"permanent")", "\"undefined\":null"), "'undefined' is null" + verdict},
      {with(R"("disruption":"retryable")", "\"disruption\":true"),
       "'disruption' is true" + verdict},
      {with(R"("disruption":"retryable")", R"("disruption":["retryable"])"),
       "'disruption' is an array" + verdict},
      {with(R"("noExitCode":"retryable")", "\"noExitCode\":1"), "'noExitCode' is 1" + verdict},
      {with(R"("noExitCode":"retryable")", R"("noExitCode":"")"),
       "'noExitCode' is the string ''" + verdict},
      // reasons
      {with(R"({"OOMKilled":"permanent"})", "[]"),
       "'reasons' is an array: write an object of reasons"},
      {with(R"({"OOMKilled":"permanent"})", "null"),
       "'reasons' is null: write an object of reasons"},
      {with(R"({"OOMKilled":"permanent"})", R"({"OOMKilled":"undefined"})"),
       "reason 'OOMKilled' is the string 'undefined'" + verdict},
      {with(R"({"OOMKilled":"permanent"})", "{\"OOMKilled\":137}"),
       "reason 'OOMKilled' is 137" + verdict},
      {with(R"({"OOMKilled":"permanent"})", "{\"OOMKilled\":{}}"),
       "reason 'OOMKilled' is an object" + verdict},
      {with(R"({"OOMKilled":"permanent"})", R"({"OOMKilled":"permanent","OOMKilled":"permanent"})"),
       "'reasons' has 'OOMKilled' twice: keep one"},
      // maxRetries
      {with("\"noExitCode\"", R"("maxRetries":-1,"noExitCode")"),
       "'maxRetries' is -1: write an integer from 0 to 999999999"},
      {with("\"noExitCode\"", R"("maxRetries":1000000000,"noExitCode")"),
       "'maxRetries' is 1000000000: write an integer from 0 to 999999999"},
      {with("\"noExitCode\"", R"("maxRetries":1.0,"noExitCode")"),
       "'maxRetries' is 1.0: write an integer from 0 to 999999999"},
      {with("\"noExitCode\"", R"("maxRetries":null,"noExitCode")"),
       "'maxRetries' is null: write an integer from 0 to 999999999"},
      {with("\"noExitCode\"", R"("maxRetries":"3","noExitCode")"),
       "'maxRetries' is the string '3': write an integer from 0 to 999999999"},
  };
  for (const auto& [value, message] : cases) {
    CAPTURE(value);
    CHECK(error_of(value) == message);
  }
}

TEST_CASE("a later version is told apart, whatever else it changed", "[exit_codes][annotation]") {
  const std::string later = "the table is of version 2, later than the one that is known here, 1";
  CHECK(error_of(with("\"version\":1", "\"version\":2")) == later);
  CHECK(error_of(R"({"version":2})") == later);
  CHECK(error_of(R"({"new":[{"version":7}],"version":2})") == later);
  CHECK(error_of(R"({"permanent":["1-5"],"version":2,"extra":{"deep":[1.5,null,true,-3]}})") ==
        later);
  CHECK(error_of(R"({"version":18446744073709551615})") ==
        "the table is of version 18446744073709551615, later than the one that is known here, 1");
}

TEST_CASE("a version that is none or not at the top is no later one", "[exit_codes][annotation]") {
  CHECK(error_of(R"({"new":{"version":2}})") == "unknown key 'new': take it out");
  CHECK(error_of(R"([{"version":2}])") == "the table is an array: write a JSON object");
  CHECK(error_of(R"({"version":2.5})") == "'version' is 2.5: write 1");
  CHECK(error_of(R"({"version":2)") == "'version' is 2: write 1");
}

TEST_CASE("deep nesting is refused without recursion", "[exit_codes][annotation]") {
  CHECK(error_of(std::string(200'000, '[')) == "the table is an array: write a JSON object");
  CHECK(error_of(std::string(100'000, '[') + std::string(100'000, ']')) ==
        "the table is an array: write a JSON object");
  std::string objects;
  for (int i = 0; i < 40'000; ++i) objects += "{\"a\":";
  CHECK(error_of(objects) == "unknown key 'a': take it out");
}

TEST_CASE("what is larger than any annotation is refused unread", "[exit_codes][annotation]") {
  const std::string padding(262'144 - kKubeflow.size(), ' ');
  CHECK(decoded(std::string(kKubeflow) + padding) == built_in_profiles()[0]);
  CHECK(error_of(std::string(kKubeflow) + padding + ' ') ==
        "the table has 262145 bytes, more than the 262144 that an object's annotations may have");
}

TEST_CASE("messages stay short and clean whatever the value", "[exit_codes][annotation]") {
  const std::string huge(200'000, 'k');
  CHECK(error_of(with("\"version\"", "\"" + huge + "\"")).size() < 200);
  CHECK(error_of(with("\"OOMKilled\":\"permanent\"", "\"" + huge + "\":\"" + huge + "\"")).size() <
        200);
  CHECK(error_of(with("\"version\":1", "\"version\":1." + std::string(200'000, '0'))).size() < 200);
  CHECK(error_of(with("\"version\"", "\"a\\u0007\\nb\"")) == "unknown key 'a??b': take it out");
}

TEST_CASE("no damage to a table's bytes is a crash", "[exit_codes][annotation]") {
  std::mt19937 random(kSeed);
  std::uniform_int_distribution<std::size_t> place(0, kKubeflow.size() - 1);
  std::uniform_int_distribution<int> byte(0, 255);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string value(kKubeflow);
    value[place(random)] = static_cast<char>(byte(random));
    if (i % 2 == 0) value.resize(place(random));
    const auto result = decode(value);
    if (const auto* error = std::get_if<DecodeError>(&result)) {
      CHECK_FALSE(error->message.empty());
      ++refused;
    } else {
      CHECK(decoded(encode(std::get<Table>(result))) == std::get<Table>(result));
    }
  }
  CHECK(refused > 2500);
}

}  // namespace exit_codes
