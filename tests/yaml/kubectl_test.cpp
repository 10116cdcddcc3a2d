#include <string>
#include <string_view>

#include "tests/support/catch.h"
#include "yaml/json.h"
#include "yaml/parse.h"

namespace {

struct Case {
  std::string_view yaml;
  std::string_view json;  ///< what sigs.k8s.io/yaml 1.6.0, kubectl's decoder, makes of it
};

nlohmann::json read_as_kubectl(std::string_view text) {
  const auto documents = yaml::parse(text);
  if (!documents) throw std::runtime_error(documents.error().message);
  const auto json = yaml::to_json(documents->at(0).root);
  if (!json) throw std::runtime_error(json.error().message);
  return nlohmann::json::parse(json->dump());
}

void check(std::initializer_list<Case> cases) {
  for (const Case& each : cases) {
    INFO(each.yaml);
    CHECK(read_as_kubectl(each.yaml) == nlohmann::json::parse(each.json));
  }
}

}  // namespace

TEST_CASE("plain scalars have the types that kubectl gives them", "[yaml][scalar]") {
  check({
      {"[~, null, Null, NULL, nULL, '', \"~\"]", R"([null,null,null,null,"nULL","","~"])"},
      {"a:", R"({"a":null})"},
      {"[y, Y, yes, Yes, YES, yEs, 'yes']", R"([true,true,true,true,true,"yEs","yes"])"},
      {"[n, N, no, No, NO, nO]", R"([false,false,false,false,false,"nO"])"},
      {"[on, On, ON, off, Off, OFF, oN]", R"([true,true,true,false,false,false,"oN"])"},
      {"[true, True, TRUE, tRue, false, False, FALSE]",
       R"([true,true,true,"tRue",false,false,false])"},
      {"[2001-12-14, 2001-12-14t21:59:43.10-05:00]",
       R"(["2001-12-14","2001-12-14t21:59:43.10-05:00"])"},
      {R"([<<, =, a b, 'it''s', "\u00e9\n"])", R"(["<<","=","a b","it's","é\n"])"},
  });
}

TEST_CASE("numbers are read as kubectl reads them", "[yaml][scalar]") {
  check({
      {"[0, 12, -12, +12, -0, 1_000, 1__0, 1_]", "[0,12,-12,12,0,1000,10,1]"},
      {"[_1, 1a, +, -, 1:20, 190:20:30]", R"(["_1","1a","+","-","1:20","190:20:30"])"},
      {"[0x1F, 0X1f, -0x10, +0x10, 0x_1, 0x, 0xg]", R"([31,31,-16,16,1,"0x","0xg"])"},
      {"[0o17, 0O17, 0o8, 0b101, 0B1, -0b11, 0b2]", R"([15,15,"0o8",5,1,-3,"0b2"])"},
      {"[010, 00, 0_1, 08, 09.5, -017]", "[8,0,1,8,9.5,-15]"},
      {"[1.5, .5, 1., -1.25, +1.5, 1e3, 1E-3, 12e03, 1.e3, .5_1]",
       "[1.5,0.5,1,-1.25,1.5,1000,0.001,12000,1000,0.51]"},
      {"[1e, e1, ., .., ._5, .5_, 1e999, -1e999]",
       R"(["1e","e1",".","..","._5",".5_","1e999","-1e999"])"},
      {"[1e-999, -1e-999]", "[0,0]"},
      {"[1.0, -2.0, 1e20]", "[1,-2,1e20]"},
  });
}

TEST_CASE("64-bit integers are unharmed", "[yaml][json]") {
  const auto text = [](std::string_view yaml) { return read_as_kubectl(yaml).dump(); };
  CHECK(text("9223372036854775807") == "9223372036854775807");
  CHECK(text("-9223372036854775808") == "-9223372036854775808");
  CHECK(text("9223372036854775808") == "9223372036854775808");
  CHECK(text("18446744073709551615") == "18446744073709551615");
  CHECK(text("0xFFFFFFFFFFFFFFFF") == "18446744073709551615");
  CHECK(text("18446744073709551616") == "1.8446744073709552e+19");
  CHECK(text("-9223372036854775809") == "-9.223372036854776e+18");
  CHECK(text("0x1FFFFFFFFFFFFFFFF") == "\"0x1FFFFFFFFFFFFFFFF\"");
  CHECK(text("+9223372036854775808") == "9.223372036854776e+18");
}

TEST_CASE("tags choose the type", "[yaml][scalar]") {
  check({
      {R"([!!str 12, !!str yes, !own 12, ! 12, ! "12"])", R"(["12","yes","12","12","12"])"},
      {"a: !!str\nb: 1\n", R"({"a":"","b":1})"},
      {R"([!!int "12", !!float 1, !!float '1.5', !!bool "yes", !!null ''])",
       "[12,1,1.5,true,null]"},
      {"[!!timestamp 2001-12-14, !<tag:yaml.org,2002:str> 1]", R"(["2001-12-14","1"])"},
  });
}

TEST_CASE("keys become strings", "[yaml][json]") {
  check({
      {"{1: a, yes: b, off: c, 0x10: d, 'null': e, 2001-12-14: f}",
       R"({"1":"a","true":"b","false":"c","16":"d","null":"e","2001-12-14":"f"})"},
      {"{1.5: a, 0.1: b, 1e3: c, 1234567.0: d, 0.00001: e, .inf: f, -.inf: g, .nan: h, 1e20: i}",
       R"({"1.5":"a","0.1":"b","1000":"c","1.234567e+06":"d","1e-05":"e",".inf":"f","-.inf":"g",".nan":"h","1e+20":"i"})"},
      {"? j\n: k\n", R"({"j":"k"})"},
      {"&a x: 1\nz: *a\n", R"({"x":1,"z":"x"})"},
  });
}

TEST_CASE("the last of equal keys wins", "[yaml][json]") {
  check({{"a: 1\nb: 2\na: 3\n", R"({"a":3,"b":2})"},
         {"a: {x: 1}\na: {z: 2}\n", R"({"a":{"z":2}})"},
         {"yes: 1\n\"true\": 2\n", R"({"true":2})"}});
}

TEST_CASE("merge keys stand for what they name", "[yaml][merge]") {
  check({
      {"x: &x {a: 1, b: 2}\nz:\n  <<: *x\n  b: 3\n", R"({"x":{"a":1,"b":2},"z":{"a":1,"b":3}})"},
      {"{<<: {a: 1}, b: 2}", R"({"a":1,"b":2})"},
      {"x: &x {a: 1}\nw: &w {a: 2, b: 2}\nz: {<<: [*x, *w, {c: 3}]}\n",
       R"({"x":{"a":1},"w":{"a":2,"b":2},"z":{"a":1,"b":2,"c":3}})"},
      {"x: &x {a: 1}\nw: &w {<<: *x, b: 2}\nz: {<<: *w}\n",
       R"({"x":{"a":1},"w":{"a":1,"b":2},"z":{"a":1,"b":2}})"},
      {"'<<': {a: 1}", R"({"<<":{"a":1}})"},
      {"!!merge <<: {a: 1}", R"({"a":1})"},
      {"<<: []\na: 1", R"({"a":1})"},
  });
}

TEST_CASE("a merge key wins over what is written before it", "[yaml][merge]") {
  check({{"a: 1\n<<: {a: 2, b: 2}\nb: 3\n", R"({"a":2,"b":3})"}});
}

TEST_CASE("scalars may span lines", "[yaml][scalar]") {
  check({
      {"a: |\n  x\n  y\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\n",
       R"({"a":"x\ny\n","b":"x y\nz","c":"x\n\n"})"},
      {"a: b\n  c\nd: \"e\n  f\"\n", R"({"a":"b c","d":"e f"})"},
      {"a: |\n  12\n", R"({"a":"12\n"})"},
      {"a: >-\n  12\n", R"({"a":"12"})"},
  });
}

TEST_CASE("JSON is YAML", "[yaml][json]") {
  check({{R"({"a": [1, 2.5, true, null, "x\ty"], "b": {}, "c": []})",
          R"({"a":[1,2.5,true,null,"x\ty"],"b":{},"c":[]})"}});
}

TEST_CASE("keys keep their order", "[yaml][json]") {
  const auto documents = yaml::parse("z: 1\na: 2\nz: 3\nm: 4\n");
  REQUIRE(documents);
  CHECK(yaml::to_json(documents->at(0).root)->dump() == R"({"z":3,"a":2,"m":4})");
}
