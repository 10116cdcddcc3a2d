#include "lint/list_item.h"

#include <algorithm>
#include <string>
#include <variant>

#include "exit_codes/code_list.h"

namespace lint {
namespace {

constexpr std::string_view kBlanks = " \t";

}  // namespace

std::optional<Part> find_item(std::string_view list, std::string_view message, std::size_t repeat) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::string_view item = list.substr(begin, list.find(',', begin) - begin);
    const std::size_t first = std::min(item.find_first_not_of(kBlanks), item.size());
    ++number;
    bool meant = false;
    if (first == item.size()) {
      meant = message.starts_with("item " + std::to_string(number) + " of the list is empty");
    } else {
      const auto parsed = exit_codes::parse_code_item(item);
      const auto* const error = std::get_if<exit_codes::ParseError>(&parsed);
      meant = error != nullptr && error->message == message;
    }
    if (meant && repeat-- == 0) {
      const std::size_t last = item.find_last_not_of(kBlanks);
      const std::size_t size = first == item.size() ? 0 : last + 1 - first;
      // An empty item is where its comma is.
      return Part{begin + (size == 0 ? item.size() : first), size};
    }
    begin += item.size() + 1;
  }
  return std::nullopt;
}

}  // namespace lint
