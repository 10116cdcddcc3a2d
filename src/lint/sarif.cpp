#include <algorithm>
#include <utility>

#include "lint/formats.h"
#include "lint/rules.h"

namespace lint {
namespace {

using Json = nlohmann::ordered_json;

/// A path as a URI reference (RFC 3986): what is no unreserved character nor '/' in percents.
std::string to_uri(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").contains(c);
    if (plain) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kHex[byte >> 4U];
      uri += kHex[byte & 0x0FU];
    }
  }
  return uri;
}

Json describe(const Rule& rule) {
  const std::string help = help_of(rule.id);
  return {{"id", rule.id},
          {"shortDescription", {{"text", rule.summary}}},
          {"help", {{"text", "See " + help}, {"markdown", "See [" + help + "](" + help + ")"}}},
          {"defaultConfiguration", {{"level", to_string(rule.severity)}}}};
}

}  // namespace

nlohmann::ordered_json to_sarif(std::string_view path, const Finding& finding) {
  Json physical = {{"artifactLocation", {{"uri", to_uri(path)}}}};
  if (finding.at) {
    physical["region"] = {{"startLine", finding.at->mark.line},
                          {"startColumn", finding.at->mark.column}};
  }
  Json location = {{"physicalLocation", std::move(physical)}};
  std::string message = finding.message;
  if (!finding.field.empty()) {
    message.insert(0, finding.field + ": ");
    location["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", finding.field}, {"kind", "member"}}});
  }
  return {{"ruleId", finding.rule},
          {"ruleIndex", rule_index(finding.rule)},
          {"level", to_string(finding.severity)},
          {"message", {{"text", std::move(message)}}},
          {"locations", Json::array({std::move(location)})}};
}

nlohmann::ordered_json sarif_log(std::string_view version, bool complete) {
  Json descriptions = Json::array();
  for (const Rule& rule : rules()) descriptions.push_back(describe(rule));
  Json run = {
      {"tool",
       {{"driver",
         {{"name", "tfjob-webhook"}, {"version", version}, {"rules", std::move(descriptions)}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", Json::array()},
      {"invocations", Json::array({{{"executionSuccessful", complete}}})}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace lint
