#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sources {

/// What to do about a template that is not rendered.
inline constexpr const char* kRenderFirst =
    "this is a template that is not rendered: render it first, as in 'helm template CHART | "
    "tfjob-webhook lint -'";

/// Whether `text` has an action of Helm or Jinja in it: `{{ ... }}`, `{% ... %}`.
[[nodiscard]] bool has_action(std::string_view text);

/// The offset of the first action because of which `text` is no YAML, the reading of which stopped
/// in line `line`: one outside of quotes where YAML has a key or a value, and which is either near
/// that line or of a kind that only templates of whole files have. nullopt: something else is the
/// reason. (Argo's `"{{inputs.parameters.x}}"` stand in strings of sound YAML.)
[[nodiscard]] std::optional<std::size_t> find_unrendered(std::string_view text, std::size_t line);

}  // namespace sources
