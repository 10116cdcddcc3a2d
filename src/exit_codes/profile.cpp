#include "exit_codes/profile.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "exit_codes/profile_resolver.h"

namespace exit_codes {
namespace {

constexpr std::size_t kMaxNameLength = 63;

Table kubeflow() {
  return {.profile = std::string(kDefaultProfile),
          .permanent = {1, 2, 126, 127, 128, 139},
          .retryable = {130, 137, 138, 143},
          .undefined = Verdict::permanent,
          .reasons = {{kOomKilled, Verdict::permanent}},
          .disruption = Verdict::retryable,
          .no_exit_code = Verdict::retryable,
          .max_retries = std::nullopt};
}

Table signals() {
  Table table = kubeflow();
  table.profile = "signals";
  table.permanent = CodeSet::range(1, 127);
  table.retryable = CodeSet::range(128, 255);
  table.undefined = Verdict::retryable;
  return table;
}

Table cloudml() {
  Table table = kubeflow();
  table.profile = "cloudml";
  table.permanent = {};
  table.retryable = {130, 137, 143};
  return table;
}

Table all_permanent() {
  Table table = kubeflow();
  table.profile = "all-permanent";
  table.permanent = {};
  table.retryable = {};
  table.disruption = Verdict::permanent;
  table.no_exit_code = Verdict::permanent;
  return table;
}

Table all_retryable() {
  Table table = kubeflow();
  table.profile = "all-retryable";
  table.undefined = Verdict::retryable;
  return table;
}

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

}  // namespace

bool is_profile_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kMaxNameLength && is_letter_or_digit(name.front()) &&
         is_letter_or_digit(name.back()) && std::ranges::all_of(name, [](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '.';
         });
}

std::span<const Table> built_in_profiles() {
  static const std::vector<Table> tables{kubeflow(), signals(), cloudml(), all_permanent(),
                                         all_retryable()};
  return tables;
}

Profiles::Profiles() : tables_(built_in_profiles().begin(), built_in_profiles().end()) {}

std::variant<Profiles, ProfileError> Profiles::make(
    std::span<const ProfileDefinition> definitions) {
  auto resolved = resolve(definitions);
  if (auto* error = std::get_if<ProfileError>(&resolved)) return std::move(*error);
  Profiles profiles;
  std::ranges::move(std::get<std::vector<Table>>(resolved), std::back_inserter(profiles.tables_));
  return profiles;
}

const Table* Profiles::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(tables_, name, &Table::profile);
  return found == tables_.end() ? nullptr : &*found;
}

std::vector<std::string_view> Profiles::names() const {
  std::vector<std::string_view> names;
  names.reserve(tables_.size());
  for (const Table& table : tables_) names.push_back(table.profile);
  return names;
}

}  // namespace exit_codes
