#include "lint/list_item.h"

#include <string>
#include <variant>
#include <vector>

#include "exit_codes/code_list.h"
#include "tests/support/catch.h"

namespace {

/// The parts of `list` that its errors are about, each in brackets, in the order of the errors.
std::string parts(const std::string& list) {
  std::string shown;
  const auto parsed = exit_codes::parse_code_list(list);
  for (const auto& error : std::get<std::vector<exit_codes::ParseError>>(parsed)) {
    const auto part = lint::find_item(list, error.message, 0);
    shown +=
        part ? "[" + std::to_string(part->begin) + " " + list.substr(part->begin, part->size) + "]"
             : "[none]";
  }
  return shown;
}

}  // namespace

TEST_CASE("an error of a code list is about one item", "[lint][list_item]") {
  CHECK(parts("0") == "[0 0]");
  CHECK(parts("42,  4x2 , 300") == "[5 4x2][11 300]");
  CHECK(parts("1,,2") == "[2 ]");
  CHECK(parts("1, ") == "[3 ]");
  CHECK(parts("") == "[none]");
}

TEST_CASE("of equal errors each is about the next item", "[lint][list_item]") {
  const std::string message =
      std::get<exit_codes::ParseError>(exit_codes::parse_code_item("x")).message;
  CHECK(lint::find_item("x, 1, x", message, 0)->begin == 0);
  CHECK(lint::find_item("x, 1, x", message, 1)->begin == 6);
  CHECK_FALSE(lint::find_item("x, 1, x", message, 2));
}
