#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "lint/finding.h"

namespace lint {

/// A rule as reports describe it.
struct Rule {
  std::string_view id;
  Severity severity;
  std::string_view summary;  ///< one sentence
};

/// All rules that `lint` may tell of, in the order of the documentation.
[[nodiscard]] std::span<const Rule> rules() noexcept;

/// The place of a rule in `rules`. `id` is one of them.
[[nodiscard]] std::size_t rule_index(std::string_view id) noexcept;

/// Where a rule is explained: `docs/rules.md#ID`.
[[nodiscard]] std::string help_of(std::string_view id);

}  // namespace lint
