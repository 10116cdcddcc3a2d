#include "config/profiles.h"

#include <algorithm>
#include <array>
#include <variant>

#include "config/exit_code_fields.h"
#include "config/fields.h"
#include "exit_codes/quote.h"
#include "yaml/scalar.h"

namespace config {
namespace {

using exit_codes::ProfileDefinition;
using exit_codes::ProfileError;
using Kind = ProfileError::Kind;

constexpr std::array<std::string_view, 9> kProfileKeys = {"extends",    "permanent",  "retryable",
                                                          "remove",     "reasons",    "undefined",
                                                          "disruption", "noExitCode", "maxRetries"};

/// Past this many we stop looking: each one costs a pass over all of them.
constexpr std::size_t kMaxProfileErrors = 50;

/// A definition, and where it stands.
struct Located {
  yaml::Mark name;
  yaml::Mark extends;
};

void read_reasons(const yaml::Node& node, std::string_view path, ProfileDefinition& definition,
                  ErrorList& errors) {
  if (yaml::is_null(node)) return;
  if (!node.is_mapping()) {
    errors.add(node.mark(), std::string(path) + ": must be a mapping of reasons to verdicts, not " +
                                std::string(describe_type(node)) +
                                ": write, for example, OOMKilled: permanent");
    return;
  }
  check_duplicates(node, errors);
  for (const yaml::Entry& entry : node.entries()) {
    std::optional<exit_codes::Verdict> verdict;
    if (!yaml::is_null(entry.value)) {
      verdict = read_verdict(entry.value, path_of(path, entry.name), errors);
      if (!verdict) continue;
    }
    definition.reasons.insert_or_assign(entry.name, verdict);
  }
}

ProfileDefinition read_definition(const yaml::Entry& entry, Located& places, ErrorList& errors) {
  ProfileDefinition definition;
  definition.name = entry.name;
  const std::string path = path_of("profiles", entry.name);
  if (!check_mapping(entry.value, path, kProfileKeys, errors)) return definition;

  const auto field = [&](std::string_view key, const auto& read) {
    if (const yaml::Node* const node = entry.value.find(key)) read(*node, path_of(path, key));
  };
  const auto verdict_field = [&](std::string_view key, std::optional<exit_codes::Verdict>& target) {
    field(key, [&](const yaml::Node& node, const std::string& where) {
      target = read_verdict(node, where, errors);
    });
  };
  const auto codes_field = [&](std::string_view key, exit_codes::CodeSet& target) {
    field(key, [&](const yaml::Node& node, const std::string& where) {
      target = read_codes(node, where, errors);
    });
  };
  field("extends", [&](const yaml::Node& node, const std::string& where) {
    places.extends = node.mark();
    if (auto name = read_string(node, where, errors)) definition.extends = *std::move(name);
  });
  codes_field("permanent", definition.overrides.permanent);
  codes_field("retryable", definition.overrides.retryable);
  codes_field("remove", definition.remove);
  field("reasons", [&](const yaml::Node& node, const std::string& where) {
    read_reasons(node, where, definition, errors);
  });
  verdict_field("undefined", definition.undefined);
  verdict_field("disruption", definition.disruption);
  verdict_field("noExitCode", definition.no_exit_code);
  field("maxRetries", [&](const yaml::Node& node, const std::string& where) {
    definition.overrides.max_retries = read_max_retries(node, where, errors);
  });
  return definition;
}

/// Makes profiles of `definitions`. Since `make` gives one error at a time, what it complains about
/// is reported, taken away and tried again.
exit_codes::Profiles make_profiles(std::vector<ProfileDefinition> definitions,
                                   std::map<std::string, Located>& places,
                                   std::vector<std::string>& faulty_names, ErrorList& errors) {
  for (std::size_t round = 0; round < kMaxProfileErrors; ++round) {
    auto made = exit_codes::Profiles::make(definitions);
    if (auto* const profiles = std::get_if<exit_codes::Profiles>(&made))
      return std::move(*profiles);

    const auto& error = std::get<ProfileError>(made);
    const auto at = std::ranges::find(definitions, error.profile, &ProfileDefinition::name);
    const Located& place = places[error.profile];
    const bool about_extends = error.kind == Kind::unknown_extends || error.kind == Kind::cycle;
    // To extend a profile that has been complained about is no mistake of its own.
    const bool follows = error.kind == Kind::unknown_extends &&
                         std::ranges::find(faulty_names, at->extends) != faulty_names.end();
    if (!follows) errors.add(about_extends ? place.extends : place.name, error.message);
    if (error.kind == Kind::bad_name || error.kind == Kind::built_in_name) {
      faulty_names.push_back(error.profile);
      definitions.erase(at);
    } else {
      *at = ProfileDefinition{};
      at->name = error.profile;
    }
  }
  return {};
}

}  // namespace

ProfileSet read_profiles(const yaml::Node& node, ErrorList& errors) {
  ProfileSet set;
  if (yaml::is_null(node)) return set;
  if (!node.is_mapping()) {
    errors.add(node.mark(), "profiles: must be a mapping of names to profiles, not " +
                                std::string(describe_type(node)));
    return set;
  }
  check_duplicates(node, errors);
  std::vector<ProfileDefinition> definitions;
  std::map<std::string, Located> places;
  for (const yaml::Entry& entry : node.entries()) {
    Located place{.name = entry.key.mark(), .extends = entry.key.mark()};
    ProfileDefinition definition = read_definition(entry, place, errors);
    // The second of two of one name was reported as a duplicate key, or overrides a merged one.
    if (places.contains(entry.name)) {
      std::erase_if(definitions, [&](const auto& other) { return other.name == entry.name; });
    }
    places.insert_or_assign(entry.name, place);
    definitions.push_back(std::move(definition));
  }
  set.profiles = make_profiles(std::move(definitions), places, set.faulty_names, errors);
  return set;
}

std::optional<std::string> read_profile_name(const yaml::Node& node, std::string_view path,
                                             const ProfileSet& known, ErrorList& errors) {
  std::optional<std::string> name = read_string(node, path, errors);
  if (!name || known.profiles.find(*name) != nullptr) return name;
  if (std::ranges::find(known.faulty_names, *name) == known.faulty_names.end()) {
    errors.add(node.mark(), std::string(path) + ": there is no profile " +
                                exit_codes::quote(*name) + ": " +
                                advice(*name, known.profiles.names()));
  }
  return std::nullopt;
}

}  // namespace config
