#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "exit_codes/code_set.h"
#include "exit_codes/table.h"
#include "exit_codes/verdict.h"

namespace exit_codes {

inline constexpr std::string_view kDefaultProfile = "kubeflow";

/// A profile of an administrator's own: another profile, and what differs from it.
struct ProfileDefinition {
  std::string name;                      ///< see `is_profile_name`; not a built-in one
  std::string extends{kDefaultProfile};  ///< built-in or another definition
  Overrides overrides;                   ///< codes to move, and max_retries
  CodeSet remove;                        ///< codes to make undefined
  std::map<std::string, std::optional<Verdict>> reasons;  ///< merged; nullopt deletes one
  std::optional<Verdict> undefined;
  std::optional<Verdict> disruption;
  std::optional<Verdict> no_exit_code;
};

/// Why a set of definitions makes no profiles.
struct ProfileError {
  enum class Kind {
    bad_name,         ///< the name breaks `is_profile_name`
    built_in_name,    ///< a built-in profile cannot be redefined
    defined_twice,    ///< two definitions of one name
    unknown_extends,  ///< `extends` names no profile
    cycle,            ///< a profile extends itself, perhaps through others
    code_twice        ///< one code in two of retryable, permanent, remove
  };
  Kind kind;
  std::string profile;  ///< the definition at fault
  std::string message;  ///< a sentence that says what to do
};

/// 1 to 63 lower-case letters, digits, '-' and '.', beginning and ending with a letter or digit.
[[nodiscard]] bool is_profile_name(std::string_view name) noexcept;

/// The five built-in profiles, in the order of the documentation: kubeflow, signals, cloudml,
/// all-permanent, all-retryable.
[[nodiscard]] std::span<const Table> built_in_profiles();

/// A set of named tables: the built-in ones and those of an administrator. Immutable once made,
/// so that many threads may read one.
class Profiles {
 public:
  /// The built-in ones alone.
  Profiles();

  /// The built-in ones and `definitions`, each resolved to a whole table.
  [[nodiscard]] static std::variant<Profiles, ProfileError> make(
      std::span<const ProfileDefinition> definitions);

  /// The table of that name, or null. Valid as long as this object.
  [[nodiscard]] const Table* find(std::string_view name) const noexcept;

  /// Built-in ones first, then by definition.
  [[nodiscard]] std::span<const Table> all() const noexcept { return tables_; }
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  std::vector<Table> tables_;
};

}  // namespace exit_codes
