#include "config/exit_code_fields.h"

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "config/fields.h"
#include "exit_codes/code_list.h"
#include "exit_codes/quote.h"
#include "yaml/scalar.h"

namespace config {
namespace {

constexpr std::array<std::string_view, 2> kVerdicts = {"retryable", "permanent"};
constexpr std::string_view kCodesExpected =
    ": write exit codes, such as \"42, 100-110, SIGUSR2\" or [42, SIGUSR2]";

void report(const exit_codes::ParseError& error, const yaml::Node& node, std::string_view path,
            ErrorList& errors) {
  errors.add(node.mark(), std::string(path) + ": " + error.message);
}

exit_codes::CodeSet read_item(const yaml::Node& item, std::string_view path, ErrorList& errors) {
  if (!item.is_scalar() || yaml::is_null(item)) {
    errors.add(item.mark(), std::string(path) + ": must be one exit code, not " +
                                std::string(describe_type(item)) +
                                ": write a number, a range or a name, such as 42 or SIGUSR2");
    return {};
  }
  const auto parsed = exit_codes::parse_code_item(item.text());
  if (const auto* const error = std::get_if<exit_codes::ParseError>(&parsed)) {
    report(*error, item, path, errors);
    return {};
  }
  return std::get<exit_codes::CodeSet>(parsed);
}

}  // namespace

exit_codes::CodeSet read_codes(const yaml::Node& node, std::string_view path, ErrorList& errors) {
  // A list is one because of its items; numbers are taken as they are written, not as YAML reads
  // them, so that 010 is refused and never 8.
  if (node.is_scalar() && !yaml::is_null(node)) {
    const auto parsed = exit_codes::parse_code_list(node.text());
    if (const auto* const codes = std::get_if<exit_codes::CodeSet>(&parsed)) return *codes;
    for (const auto& error : std::get<std::vector<exit_codes::ParseError>>(parsed)) {
      report(error, node, path, errors);
    }
    return {};
  }
  if (!node.is_sequence() || node.items().empty()) {
    const bool nothing = node.is_sequence() || node.is_scalar();
    errors.add(node.mark(), std::string(path) +
                                (nothing ? ": has no codes" : ": must be a list, not a mapping") +
                                std::string(kCodesExpected) +
                                (nothing ? ", or remove the key" : ""));
    return {};
  }
  exit_codes::CodeSet codes;
  for (std::size_t i = 0; i < node.items().size(); ++i) {
    codes |= read_item(node.items()[i], path_of(path, i), errors);
  }
  return codes;
}

std::optional<int> read_max_retries(const yaml::Node& node, std::string_view path,
                                    ErrorList& errors) {
  const std::string where = std::string(path) + ": ";
  const std::string_view type = describe_type(node);
  if (!node.is_scalar() || yaml::is_null(node)) {
    errors.add(node.mark(), where + "must be a number, not " + std::string(type) +
                                ": write how often a replica may be retried, or remove the key");
    return std::nullopt;
  }
  const auto parsed = exit_codes::parse_max_retries(node.text());
  if (const auto* const error = std::get_if<exit_codes::ParseError>(&parsed)) {
    errors.add(node.mark(), where + error->message);
    return std::nullopt;
  }
  if (type == "a string") {
    errors.add(node.mark(), where + "must be a number, not a string: write " +
                                std::string(node.text()) + " without quotes");
    return std::nullopt;
  }
  return std::get<int>(parsed);
}

std::optional<exit_codes::Verdict> read_verdict(const yaml::Node& node, std::string_view path,
                                                ErrorList& errors) {
  const std::optional<std::size_t> word = read_word(node, path, kVerdicts, errors);
  if (!word) return std::nullopt;
  return exit_codes::parse_actionable_verdict(kVerdicts.at(*word));
}

}  // namespace config
