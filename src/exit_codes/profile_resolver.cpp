#include "exit_codes/profile_resolver.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "exit_codes/nearest.h"
#include "exit_codes/quote.h"

namespace exit_codes {
namespace {

using Definitions = std::span<const ProfileDefinition>;
using Index = std::map<std::string_view, std::size_t>;  ///< name to place in the definitions

const Table* find_built_in(std::string_view name) {
  const auto tables = built_in_profiles();
  const auto found = std::ranges::find(tables, name, &Table::profile);
  return found == tables.end() ? nullptr : &*found;
}

ProfileError error(ProfileError::Kind kind, const std::string& profile, std::string message) {
  return {.kind = kind, .profile = profile, .message = std::move(message)};
}

std::optional<ProfileError> check_name(const ProfileDefinition& definition, const Index& earlier) {
  const std::string& name = definition.name;
  if (!is_profile_name(name)) {
    return error(ProfileError::Kind::bad_name, name,
                 quote(name) +
                     " is no profile name: write 1 to 63 lower-case letters, digits, '-' "
                     "and '.', with a letter or digit at both ends");
  }
  if (find_built_in(name) != nullptr) {
    return error(ProfileError::Kind::built_in_name, name,
                 "profile '" + name +
                     "' is built in and cannot be redefined: choose another name, "
                     "and let it extend " +
                     name);
  }
  if (earlier.contains(name)) {
    return error(ProfileError::Kind::defined_twice, name,
                 "profile '" + name + "' is defined twice: rename or remove one");
  }
  return std::nullopt;
}

std::optional<ProfileError> check_codes(const ProfileDefinition& definition) {
  struct Side {
    std::string_view name;
    const CodeSet& codes;
  };
  const Side retryable{.name = "retryable", .codes = definition.overrides.retryable};
  const Side permanent{.name = "permanent", .codes = definition.overrides.permanent};
  const Side remove{.name = "remove", .codes = definition.remove};
  for (const auto& [left, right] : {std::pair{retryable, permanent}, std::pair{retryable, remove},
                                    std::pair{permanent, remove}}) {
    const CodeSet both = left.codes & right.codes;
    if (both.empty()) continue;
    return error(ProfileError::Kind::code_twice, definition.name,
                 "profile '" + definition.name + "' has " + std::to_string(both.values().front()) +
                     " in both " + std::string(left.name) + " and " + std::string(right.name) +
                     ": keep it in one");
  }
  return std::nullopt;
}

std::optional<ProfileError> check_extends(const ProfileDefinition& definition, const Index& index,
                                          Definitions definitions) {
  if (find_built_in(definition.extends) != nullptr || index.contains(definition.extends)) {
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (const Table& table : built_in_profiles()) names.push_back(table.profile);
  for (const ProfileDefinition& other : definitions) {
    // A profile cannot extend itself, so its own name is no help.
    if (other.name != definition.name) names.push_back(other.name);
  }
  std::string message = "profile '" + definition.name + "' extends " + quote(definition.extends) +
                        ", which does not exist: ";
  if (const auto near = nearest(definition.extends, names); !near.empty()) {
    message += "did you mean '" + std::string(near) + "'? There are ";
  } else {
    message += "write one of ";
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    message += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  return error(ProfileError::Kind::unknown_extends, definition.name, std::move(message));
}

Table extend(Table table, const ProfileDefinition& definition) {
  table.profile = definition.name;
  apply(definition.overrides, table);
  table.retryable -= definition.remove;
  table.permanent -= definition.remove;
  for (const auto& [reason, verdict] : definition.reasons) {
    if (verdict) {
      table.reasons.insert_or_assign(reason, *verdict);
    } else {
      table.reasons.erase(reason);
    }
  }
  table.undefined = definition.undefined.value_or(table.undefined);
  table.disruption = definition.disruption.value_or(table.disruption);
  table.no_exit_code = definition.no_exit_code.value_or(table.no_exit_code);
  return table;
}

ProfileError cycle(std::span<const std::size_t> members, Definitions definitions) {
  const std::string& first = definitions[members.front()].name;
  std::string path;
  for (const std::size_t member : members) path += definitions[member].name + " -> ";
  return error(ProfileError::Kind::cycle, first,
               "profile '" + first + "' extends itself (" + path + first +
                   "): let it extend a built-in profile, such as kubeflow");
}

enum class Progress { untouched, on_chain, done };

/// Makes the table of the definition `start` and of those below it. Iterative, so that a chain
/// may be as long as it likes.
std::optional<ProfileError> resolve_chain(std::size_t start, Definitions definitions,
                                          const Index& index, std::vector<Table>& tables,
                                          std::vector<Progress>& progress) {
  std::vector<std::size_t> chain;
  const Table* base = nullptr;
  for (std::size_t at = start; base == nullptr;) {
    if (progress[at] == Progress::done) {
      base = &tables[at];
      continue;
    }
    if (progress[at] == Progress::on_chain) {
      return cycle({std::ranges::find(chain, at), chain.end()}, definitions);
    }
    progress[at] = Progress::on_chain;
    chain.push_back(at);
    base = find_built_in(definitions[at].extends);
    if (base == nullptr) at = index.at(definitions[at].extends);
  }
  for (; !chain.empty(); chain.pop_back()) {
    const std::size_t at = chain.back();
    tables[at] = extend(*base, definitions[at]);
    progress[at] = Progress::done;
    base = &tables[at];
  }
  return std::nullopt;
}

}  // namespace

std::variant<std::vector<Table>, ProfileError> resolve(Definitions definitions) {
  Index index;
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    if (auto found = check_name(definitions[i], index)) return std::move(*found);
    if (auto found = check_codes(definitions[i])) return std::move(*found);
    index.emplace(definitions[i].name, i);
  }
  for (const ProfileDefinition& definition : definitions) {
    if (auto found = check_extends(definition, index, definitions)) return std::move(*found);
  }
  std::vector<Table> tables(definitions.size());
  std::vector<Progress> progress(definitions.size(), Progress::untouched);
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    if (auto found = resolve_chain(i, definitions, index, tables, progress)) {
      return std::move(*found);
    }
  }
  return tables;
}

}  // namespace exit_codes
