#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "admission/rendered_table.h"
#include "exit_codes/profile.h"

namespace admission {

/// What happens to a job that breaks a rule of the denied kind.
enum class Enforcement {
  deny,  ///< it is rejected
  warn,  ///< it is accepted, with a warning for each finding
  audit  ///< it is accepted in silence; audit annotations, log and metrics tell
};

/// Whether a failed pod is held by a finalizer until the enforcer has decided about it.
enum class Evidence { none, finalizer };

/// What holds in the namespaces that match; the first rule that matches a namespace decides.
struct NamespaceRule {
  std::vector<std::string> match;  ///< shell globs, as fnmatch(3) reads them; never empty
  std::string profile;             ///< name of a profile; never empty
  Enforcement enforcement = Enforcement::deny;
};

/// Everything that an administrator can set. Filled by `config`; immutable once it is shared.
struct Settings {
  exit_codes::Profiles profiles;
  std::vector<RenderedTable> rendered = render(profiles);  ///< of `profiles`, in their order
  std::string profile{exit_codes::kDefaultProfile};        ///< the default; one of `profiles`
  Enforcement enforcement = Enforcement::deny;
  std::string operator_version = "training-operator/1.9";  ///< what lint and explain compare with
  Evidence evidence = Evidence::none;
  std::vector<NamespaceRule> namespaces;
};

/// The profile and the enforcement that hold in one namespace.
struct NamespaceSettings {
  const exit_codes::Table* profile;  ///< valid as long as the Settings
  Enforcement enforcement;
};

/// Looks `name` up in the rules of `settings`; what no rule matches has the cluster's own.
[[nodiscard]] NamespaceSettings settings_for(const Settings& settings, std::string_view name);

[[nodiscard]] std::string_view to_string(Enforcement enforcement) noexcept;

}  // namespace admission
