#include "lint/formats.h"

namespace lint {

nlohmann::ordered_json to_json(std::string_view path, const Finding& finding) {
  const yaml::Mark mark = finding.at ? finding.at->mark : yaml::Mark{};
  return {{"file", path},
          {"line", mark.line},
          {"column", mark.column},
          {"rule", finding.rule},
          {"severity", to_string(finding.severity)},
          {"field", finding.field},
          {"message", finding.message}};
}

}  // namespace lint
