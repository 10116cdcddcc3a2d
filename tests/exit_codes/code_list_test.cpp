#include "exit_codes/code_list.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "exit_codes/code_names.h"
#include "tests/support/catch.h"

namespace exit_codes {
namespace {

using Errors = std::vector<ParseError>;

CodeSet codes_of(std::string_view text) {
  const auto parsed = parse_code_list(text);
  if (const auto* errors = std::get_if<Errors>(&parsed)) FAIL(errors->front().message);
  return std::get<CodeSet>(parsed);
}

Errors errors_of(std::string_view text) {
  auto parsed = parse_code_list(text);
  if (!std::holds_alternative<Errors>(parsed)) FAIL("was read: " << text);
  return std::get<Errors>(parsed);
}

ParseError parse_error_of(std::string_view text) {
  const Errors errors = errors_of(text);
  REQUIRE(errors.size() == 1);
  return errors.front();
}

constexpr std::string_view kHelp =
    " is no exit code: write a number from 1 to 255, a range such as 100-110, a signal such as "
    "SIGTERM or a name of sysexits.h such as EX_TEMPFAIL";

}  // namespace

TEST_CASE("the example of the contract is read", "[exit_codes][code_list]") {
  CodeSet expected = CodeSet::range(100, 110);
  expected |= CodeSet{42, 140, 75};
  CHECK(codes_of("42, 100-110, SIGUSR2, EX_TEMPFAIL") == expected);
}

TEST_CASE("every number from 1 to 255 is a code list", "[exit_codes][code_list]") {
  for (int code = 1; code <= 255; ++code) {
    CAPTURE(code);
    CHECK(codes_of(std::to_string(code)) == CodeSet{code});
  }
}

TEST_CASE("every name is a code list", "[exit_codes][code_list]") {
  for (const auto names : {signal_names(), sysexits_names()}) {
    for (const CodeName& known : names) {
      CAPTURE(known.name);
      CHECK(codes_of(known.name) == CodeSet{known.code});
    }
  }
}

TEST_CASE("blanks around items are spaces and tabs", "[exit_codes][code_list]") {
  CHECK(codes_of(" 1 ,\t2\t") == CodeSet{1, 2});
  CHECK(codes_of("1,2,SIGHUP") == CodeSet{1, 2, 129});
}

TEST_CASE("one code twice is fine", "[exit_codes][code_list]") {
  CHECK(codes_of("137, SIGKILL, 130-140, 137") == CodeSet::range(130, 140));
}

TEST_CASE("ranges reach from end to end", "[exit_codes][code_list]") {
  CHECK(codes_of("1-255") == CodeSet::range(1, 255));
  CHECK(codes_of("7-7") == CodeSet{7});
}

TEST_CASE("a bad item is named with what to write", "[exit_codes][code_list]") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"0", "'0' is success, which no list can hold: write a number from 1 to 255"},
      {"00", "'00' is success, which no list can hold: write a number from 1 to 255"},
      {"256", "'256' is not an exit code: write a number from 1 to 255"},
      {"99999999999999999999",
       "'99999999999999999999' is not an exit code: write a number from 1 to 255"},
      {"042", "'042' has a leading zero: write 42"},
      {"0256", "'0256' is not an exit code: write a number from 1 to 255"},
      {"+1", "'+1' has a sign: write 1"},
      {"+300", "'+300' has a sign: write a number from 1 to 255"},
      {"-1", "'-1' is negative, but exit(-1) ends with 255: write 255"},
      {"-9", "'-9' is negative, but exit(-9) ends with 247: write 247"},
      {"-256", "'-256' is negative: write a number from 1 to 255"},
      {"-99999999999", "'-99999999999' is negative: write a number from 1 to 255"},
      {"0x10", "'0x10' is hexadecimal: write 16"},
      {"0XfF", "'0XfF' is hexadecimal: write 255"},
      {"0x100", "'0x100' is hexadecimal: write a number from 1 to 255"},
      {"0x", "'0x' is hexadecimal: write a number from 1 to 255"},
      {"1 - 5", "'1 - 5' has blanks within a range: write 1-5"},
      {"1 -5", "'1 -5' has blanks within a range: write 1-5"},
      {"1-\t5", "'1-?5' has blanks within a range: write 1-5"},
      {"5-1", "'5-1' runs downwards: write 1-5"},
      {"01-5", "'01-5' has leading zeros: write 1-5"},
      {"0-5", "'0-5' reaches outside the exit codes: write a range within 1-255"},
      {"200-300", "'200-300' reaches outside the exit codes: write a range within 1-255"},
      {"5-", "'5-' is a range with one end: write both, such as 100-110"},
      {"1..5", "'1..5' is not how a range is written: write 1-5"},
      {"1...5", "'1...5' is not how a range is written: write 1-5"},
      {"1:5", "'1:5' is not how a range is written: write 1-5"},
      {"1\u20135", "'1\u20135' is not how a range is written: write 1-5"},
      {"SIGHUP-SIGTERM", "'SIGHUP-SIGTERM' has a name within a range: write 129-143"},
      {"130-SIGTERM", "'130-SIGTERM' has a name within a range: write 130-143"},
      {"sigterm", "'sigterm' is not a name of an exit code: did you mean SIGTERM?"},
      {"TERM", "'TERM' is not a name of an exit code: did you mean SIGTERM?"},
      {"kill", "'kill' is not a name of an exit code: did you mean SIGKILL?"},
      {"SIGTREM", "'SIGTREM' is not a name of an exit code: did you mean SIGTERM?"},
      {"SIG_TERM", "'SIG_TERM' is not a name of an exit code: did you mean SIGTERM?"},
      {"SIG-TERM", "'SIG-TERM' is not a name of an exit code: did you mean SIGTERM?"},
      {"SIGUSR3", "'SIGUSR3' is not a name of an exit code: did you mean SIGUSR1?"},
      {"TEMPFAIL", "'TEMPFAIL' is not a name of an exit code: did you mean EX_TEMPFAIL?"},
      {"ex_tempfail", "'ex_tempfail' is not a name of an exit code: did you mean EX_TEMPFAIL?"},
      {"EX_OK", "'EX_OK' is 0, success, which no list can hold: take it out"},
      {"SIGRTMIN+1",
       "'SIGRTMIN+1' is a real-time signal, whose number differs between systems: write its code, "
       "128 plus the number"},
      {"SIGRTMAX-2",
       "'SIGRTMAX-2' is a real-time signal, whose number differs between systems: write its code, "
       "128 plus the number"},
      {"1;2", "'1;2' has ';' within: separate items with commas, as in '1, 2'"},
      {"1 2", "'1 2' has a blank within: separate items with commas, as in '1, 2'"},
      {"1|2", "'1|2' has '|' within: separate items with commas, as in '1, 2'"},
      {"42\n", "'42?' has a line break: write the list on one line, separated by commas"},
      {"[1", "'[1' has brackets or quotes: write the items alone, as in '1, 2'"},
      {"\"42\"", "'\"42\"' has brackets or quotes: write the items alone, as in '1, 2'"},
      {"1.0", "'1.0'" + std::string(kHelp)},
      {"1e2", "'1e2'" + std::string(kHelp)},
      {"foo", "'foo'" + std::string(kHelp)},
      {"1-2-3", "'1-2-3'" + std::string(kHelp)},
      {"1--5", "'1--5'" + std::string(kHelp)},
      {"-", "'-'" + std::string(kHelp)},
      {"\u0664\u0662", "'\u0664\u0662'" + std::string(kHelp)},
      {"*", "'*'" + std::string(kHelp)},
  };
  for (const auto& [item, message] : cases) {
    CAPTURE(item);
    const ParseError alone = parse_error_of(item);
    CHECK(alone.item == item);
    CHECK(alone.message == message);
    const ParseError among = parse_error_of("7, " + item + " ,8");
    CHECK(among.item == item);
    CHECK(among.message == message);
  }
}

TEST_CASE("an empty list is an error", "[exit_codes][code_list]") {
  for (const auto* text : {"", " ", "\t "}) {
    CAPTURE(text);
    const ParseError error = parse_error_of(text);
    CHECK(error.item == text);
    CHECK(
        error.message ==
        "the list is empty: write exit codes separated by commas, such as '42, 100-110, SIGUSR2'");
  }
}

TEST_CASE("an empty item is named by its place", "[exit_codes][code_list]") {
  const std::vector<std::pair<std::string, int>> cases{{",", 1},    {"1,", 2}, {"1, ", 2},
                                                       {"1,,2", 2}, {",1", 1}, {"1,2, ,3", 3}};
  for (const auto& [text, place] : cases) {
    CAPTURE(text);
    const ParseError error = errors_of(text).front();
    CHECK(error.item.empty());
    CHECK(error.message ==
          "item " + std::to_string(place) + " of the list is empty: take out the comma too many");
  }
}

TEST_CASE("every bad item is reported, up to a bound", "[exit_codes][code_list]") {
  const Errors errors = errors_of("1, 300, , SIGTERM, 400");
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].item == "300");
  CHECK(errors[1].message == "item 3 of the list is empty: take out the comma too many");
  CHECK(errors[2].item == "400");

  std::string many = "0";
  for (int i = 0; i < 10'000; ++i) many += ",0";
  CHECK(errors_of(many).size() == kMaxListErrors);
}

TEST_CASE("a single item may have blanks around it, but no comma", "[exit_codes][code_list]") {
  CHECK(std::get<CodeSet>(parse_code_item(" 5-6 ")) == CodeSet{5, 6});
  CHECK(std::get<ParseError>(parse_code_item("")).message ==
        "the item is empty: write a number from 1 to 255, a range or a name");
  CHECK(std::get<ParseError>(parse_code_item("1,2")).message == "'1,2'" + std::string(kHelp));
}

TEST_CASE("messages stay short and clean whatever the item", "[exit_codes][code_list]") {
  const std::string huge(1'000'000, '9');
  CHECK(parse_error_of(huge).message ==
        "'" + huge.substr(0, 40) + "...' is not an exit code: write a number from 1 to 255");
  CHECK(parse_error_of("-" + huge).message ==
        "'-" + huge.substr(0, 39) + "...' is negative: write a number from 1 to 255");
  CHECK(parse_error_of(std::string(1'000'000, 'S')).message.size() < 200);
  CHECK(parse_error_of("\x01\x7F\xFF\xC0\xAF\xED\xA0\x80").message ==
        "'" + std::string(8, '?') + "'" + std::string(kHelp));
}

TEST_CASE("max-retries is 0 to 999999999", "[exit_codes][code_list]") {
  CHECK(std::get<int>(parse_max_retries("0")) == 0);
  CHECK(std::get<int>(parse_max_retries("3")) == 3);
  CHECK(std::get<int>(parse_max_retries("999999999")) == 999'999'999);
}

TEST_CASE("a bad max-retries is named with what to write", "[exit_codes][code_list]") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "the number of retries is empty: write a number from 0 to 999999999"},
      {" ", "the number of retries is empty: write a number from 0 to 999999999"},
      {"1000000000", "'1000000000' is too large: write a number from 0 to 999999999"},
      {"99999999999999999999",
       "'99999999999999999999' is too large: write a number from 0 to 999999999"},
      {"-1", "'-1' is negative: write a number from 0 to 999999999, or leave it out for no limit"},
      {"007", "'007' has a leading zero: write 7"},
      {"00", "'00' has a leading zero: write 0"},
      {" 3", "' 3' has blanks around the number: write 3"},
      {"+3", "'+3' is no number of retries: write a number from 0 to 999999999"},
      {"3.0", "'3.0' is no number of retries: write a number from 0 to 999999999"},
      {"0x3", "'0x3' is no number of retries: write a number from 0 to 999999999"},
      {"three", "'three' is no number of retries: write a number from 0 to 999999999"},
      {"3\n", "'3?' is no number of retries: write a number from 0 to 999999999"},
  };
  for (const auto& [text, message] : cases) {
    CAPTURE(text);
    const auto parsed = parse_max_retries(text);
    REQUIRE(std::holds_alternative<ParseError>(parsed));
    CHECK(std::get<ParseError>(parsed).item == text);
    CHECK(std::get<ParseError>(parsed).message == message);
  }
}

}  // namespace exit_codes
