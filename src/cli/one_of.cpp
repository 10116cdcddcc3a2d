#include "cli/one_of.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "exit_codes/nearest.h"
#include "jobs/text.h"

namespace cli {

CLI::Validator one_of(std::vector<std::string> values) {
  std::string description = "{" + CLI::detail::join(values, ",") + "}";
  return {[values = std::move(values)](std::string& value) -> std::string {
            if (std::ranges::find(values, value) != values.end()) return {};
            const std::vector<std::string_view> names(values.begin(), values.end());
            const std::string_view near = exit_codes::nearest(value, names);
            return value + " is none of its values: " +
                   (near.empty() ? "" : "did you mean " + std::string(near) + "? ") +
                   "Use one of " + jobs::joined(names);
          },
          std::move(description)};
}

}  // namespace cli
