#include "config/namespaces.h"

#include <array>

#include "config/fields.h"
#include "yaml/scalar.h"

namespace config {
namespace {

constexpr std::array<std::string_view, 3> kNamespaceKeys = {"match", "profile", "enforcement"};
constexpr std::string_view kMatchExample = ": write namespaces, such as [\"team-*\", research]";

std::vector<std::string> read_match(const yaml::Node& node, const std::string& path,
                                    ErrorList& errors) {
  std::vector<std::string> globs;
  if (!node.is_sequence()) {
    errors.add(node.mark(), path + ": must be a list, not " + std::string(describe_type(node)) +
                                std::string(kMatchExample));
    return globs;
  }
  if (node.items().empty())
    errors.add(node.mark(), path + ": is empty" + std::string(kMatchExample));
  for (std::size_t i = 0; i < node.items().size(); ++i) {
    const yaml::Node& item = node.items()[i];
    std::optional<std::string> glob = read_string(item, path_of(path, i), errors);
    if (!glob) continue;
    if (glob->empty()) {
      errors.add(item.mark(), path_of(path, i) +
                                  ": is empty, which matches no namespace: write "
                                  "\"*\" for all of them");
      continue;
    }
    globs.push_back(*std::move(glob));
  }
  return globs;
}

}  // namespace

std::optional<admission::Enforcement> read_enforcement(const yaml::Node& node,
                                                       std::string_view path, ErrorList& errors) {
  using admission::Enforcement;
  constexpr std::array kValues = {Enforcement::deny, Enforcement::warn, Enforcement::audit};
  std::array<std::string_view, kValues.size()> words;
  for (std::size_t i = 0; i < kValues.size(); ++i) words.at(i) = to_string(kValues.at(i));
  const std::optional<std::size_t> word = read_word(node, path, words, errors);
  if (!word) return std::nullopt;
  return kValues.at(*word);
}

std::vector<admission::NamespaceRule> read_namespaces(const yaml::Node& node,
                                                      const admission::Settings& cluster,
                                                      const ProfileSet& known, ErrorList& errors) {
  std::vector<admission::NamespaceRule> rules;
  if (yaml::is_null(node)) return rules;
  if (!node.is_sequence()) {
    errors.add(node.mark(), "namespaces: must be a list, not " + std::string(describe_type(node)) +
                                ": begin each entry with '- match:'");
    return rules;
  }
  for (std::size_t i = 0; i < node.items().size(); ++i) {
    const yaml::Node& item = node.items()[i];
    const std::string path = path_of("namespaces", i);
    if (!check_mapping(item, path, kNamespaceKeys, errors)) continue;

    admission::NamespaceRule rule{
        .match = {}, .profile = cluster.profile, .enforcement = cluster.enforcement};
    if (const yaml::Node* const match = item.find("match")) {
      rule.match = read_match(*match, path_of(path, "match"), errors);
    } else {
      errors.add(item.mark(), path + ": match is missing" + std::string(kMatchExample));
    }
    const yaml::Node* const profile = item.find("profile");
    const yaml::Node* const enforcement = item.find("enforcement");
    if (profile == nullptr && enforcement == nullptr) {
      errors.add(item.mark(), path + ": changes nothing: write profile, enforcement or both");
    }
    if (profile != nullptr) {
      rule.profile = read_profile_name(*profile, path_of(path, "profile"), known, errors)
                         .value_or(rule.profile);
    }
    if (enforcement != nullptr) {
      rule.enforcement = read_enforcement(*enforcement, path_of(path, "enforcement"), errors)
                             .value_or(rule.enforcement);
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace config
