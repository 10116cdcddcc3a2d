#include "config/fields.h"

#include <algorithm>
#include <map>
#include <variant>

#include "exit_codes/nearest.h"
#include "exit_codes/quote.h"
#include "yaml/scalar.h"

namespace config {
namespace {

bool is_tame(std::string_view key) {
  constexpr std::size_t kLongest = 63;
  return !key.empty() && key.size() <= kLongest && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

void add(ErrorList& errors, const yaml::Node& node, std::string_view path,
         const std::string& message) {
  errors.add(node.mark(), path.empty() ? message : std::string(path) + ": " + message);
}

/// Reports a node of the wrong type. Gives whether it is a scalar that is not null.
bool check_scalar(const yaml::Node& node, std::string_view path, ErrorList& errors) {
  if (!node.is_scalar()) {
    add(errors, node, path, "must be a string, not " + std::string(describe_type(node)));
    return false;
  }
  if (yaml::is_null(node)) {
    add(errors, node, path, "has no value: write one, or remove the key");
    return false;
  }
  return true;
}

}  // namespace

std::string path_of(std::string_view parent, std::string_view key) {
  std::string path(parent);
  if (!path.empty()) path += '.';
  return path + (is_tame(key) ? std::string(key) : exit_codes::quote(key));
}

std::string path_of(std::string_view parent, std::size_t index) {
  return std::string(parent) + "[" + std::to_string(index) + "]";
}

std::string join(std::span<const std::string_view> names) {
  std::string joined;
  for (const std::string_view name : names) {
    if (!joined.empty()) joined += ", ";
    joined += name;
  }
  return joined;
}

std::string advice(std::string_view text, std::span<const std::string_view> known) {
  const std::string_view near = exit_codes::nearest(text, known);
  if (near.empty()) return "write one of " + join(known);
  return "did you mean '" + std::string(near) + "'? There are " + join(known);
}

void check_duplicates(const yaml::Node& node, ErrorList& errors) {
  std::map<std::string_view, std::size_t> lines;
  for (const yaml::Entry& entry : node.entries()) {
    // That a key overrides one from a merge key is what merge keys are for.
    if (entry.merged) continue;
    const auto [first, is_new] = lines.try_emplace(entry.name, entry.key.mark().line);
    if (is_new) continue;
    errors.add(entry.key.mark(), "key " + exit_codes::quote(entry.name) +
                                     " was given already in line " + std::to_string(first->second) +
                                     ": remove one of the two");
  }
}

bool check_mapping(const yaml::Node& node, std::string_view path,
                   std::span<const std::string_view> known, ErrorList& errors) {
  if (!node.is_mapping()) {
    const bool nothing = yaml::is_null(node);
    add(errors, node, path,
        nothing ? "has no value: indent its keys below it, or remove it"
                : "must be a mapping of keys to values, not " + std::string(describe_type(node)));
    return false;
  }
  check_duplicates(node, errors);
  for (const yaml::Entry& entry : node.entries()) {
    if (std::ranges::find(known, entry.name) != known.end()) continue;
    errors.add(entry.key.mark(), "unknown key " + exit_codes::quote(entry.name) +
                                     (path.empty() ? "" : " in " + std::string(path)) + ": " +
                                     advice(entry.name, known));
  }
  return true;
}

std::optional<std::string> read_string(const yaml::Node& node, std::string_view path,
                                       ErrorList& errors) {
  if (!check_scalar(node, path, errors)) return std::nullopt;
  const auto value = yaml::resolve(node);
  if (!value) {
    add(errors, node, path, value.error().message);
    return std::nullopt;
  }
  if (const auto* const text = std::get_if<std::string>(&*value)) return *text;
  add(errors, node, path,
      "must be a string, not " + std::string(describe_type(node)) + ": quote " +
          exit_codes::quote(node.text()));
  return std::nullopt;
}

std::optional<std::size_t> read_word(const yaml::Node& node, std::string_view path,
                                     std::span<const std::string_view> words, ErrorList& errors) {
  if (!check_scalar(node, path, errors)) return std::nullopt;
  const auto found = std::ranges::find(words, node.text());
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  add(errors, node, path,
      exit_codes::quote(node.text()) + " is not known: " + advice(node.text(), words));
  return std::nullopt;
}

std::string_view describe_type(const yaml::Node& node) {
  if (node.is_mapping()) return "a mapping";
  if (node.is_sequence()) return "a list";
  const auto value = yaml::resolve(node);
  if (!value || std::holds_alternative<std::string>(*value)) return "a string";
  if (std::holds_alternative<std::monostate>(*value)) return "null";
  return std::holds_alternative<bool>(*value) ? "a boolean" : "a number";
}

}  // namespace config
