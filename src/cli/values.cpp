#include "cli/values.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "exit_codes/profile.h"
#include "operators/operator.h"

namespace cli {

std::vector<std::string> known_values(const CLI::Option& option) {
  std::vector<std::string> values;
  if (option.check_lname("profile")) {
    const exit_codes::Profiles profiles;
    for (const std::string_view name : profiles.names()) values.emplace_back(name);
    return values;
  }
  if (option.check_lname("operator")) {
    for (const operators::Operator& known : operators::known_operators()) {
      values.emplace_back(known.name);
    }
    return values;
  }
  // CLI11 appends a check's description to the type: "TEXT:{json,text}".
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return values;
  for (std::size_t begin = open + 1; begin <= close;) {
    const std::size_t end = std::min(type.find(',', begin), close);
    values.push_back(type.substr(begin, end - begin));
    begin = end + 1;
  }
  return values;
}

}  // namespace cli
