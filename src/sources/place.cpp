#include "sources/place.h"

#include <charconv>
#include <cstddef>
#include <string>

#include "jobs/text.h"
#include "yaml/scalar.h"

namespace sources {
namespace {

/// A node on the way along a field path, and how it is reached.
struct Step {
  yaml::Node node;
  std::optional<yaml::Node> key;    ///< none for items
  std::optional<yaml::Mark> alias;  ///< the first one on the way
};

/// Takes the next part off `field`, if `name` is it: `.NAME`, `NAME` at the beginning, or `[NAME]`
/// as `path_key` writes it.
bool take(std::string_view& field, std::string_view name) {
  std::string_view rest = field;
  if (rest.starts_with('[')) {
    rest.remove_prefix(1);
    // Most keys stand in a path as they are; those that do not, in quotes.
    const std::string key = rest.starts_with('"') ? jobs::path_key(name) : std::string();
    const std::string_view written = key.empty() ? name : key;
    if (!rest.starts_with(written) || !rest.substr(written.size()).starts_with(']')) return false;
    field = rest.substr(written.size() + 1);
    return true;
  }
  if (rest.starts_with('.')) rest.remove_prefix(1);
  if (!rest.starts_with(name)) return false;
  rest.remove_prefix(name.size());
  if (!rest.empty() && rest.front() != '.' && rest.front() != '[') return false;
  field = rest;
  return true;
}

/// The step from a sequence to its item that `field` begins with.
bool enter_item(std::string_view& field, Step& step) {
  if (!field.starts_with('[')) return false;
  std::size_t index = 0;
  const char* const end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data() + 1, end, index);
  if (error != std::errc() || rest == end || *rest != ']') return false;
  if (index >= step.node.items().size()) return false;
  field.remove_prefix(static_cast<std::size_t>(rest + 1 - field.data()));
  step.node = yaml::Node(step.node.items()[index]);
  step.key.reset();
  return true;
}

/// The step from a mapping to the value of the key that `field` begins with: the last one, as in
/// `Node::find`.
bool enter_value(std::string_view& field, Step& step) {
  const auto entries = step.node.entries();
  for (std::size_t i = entries.size(); i > 0; --i) {
    const yaml::Entry& entry = entries[i - 1];
    if (!take(field, entry.name)) continue;
    // The job holds all of its nodes, so the entry outlives the step.
    step.key = entry.key;
    step.node = entry.value;
    return true;
  }
  return false;
}

/// Follows `field` as far as it is there; what is left of it stays.
Step follow(const Job& job, std::string_view& field) {
  Step step{.node = job.node, .key = job.key, .alias = std::nullopt};
  if (field == "object") {
    field = {};
    return step;
  }
  while (!field.empty()) {
    const std::optional<yaml::Mark> alias =
        step.node.is_alias() ? std::optional(step.node.mark()) : std::nullopt;
    const bool entered =
        step.node.is_sequence() ? enter_item(field, step) : enter_value(field, step);
    if (!entered) break;
    if (!step.alias) step.alias = alias;
  }
  return step;
}

Place of_key(const Step& step) {
  const yaml::Node& node = step.key ? *step.key : step.node;
  return {.at = node.place(), .is_key = step.key.has_value(), .value = {}, .alias = step.alias};
}

}  // namespace

Place find_place(const Job& job, std::string_view field) {
  const Step step = follow(job, field);
  if (!field.empty()) return of_key(step);
  // `key:` with nothing behind it.
  const bool nothing = step.node.is_scalar() && step.node.text().empty() &&
                       step.node.is_implicit() && !step.node.is_alias();
  Place place =
      nothing ? of_key(step)
              : Place{.at = step.node.place(), .is_key = false, .value = {}, .alias = step.alias};
  place.value = step.node;
  return place;
}

Place find_key_place(const Job& job, std::string_view field) {
  const Step step = follow(job, field);
  Place place = of_key(step);
  if (field.empty()) place.value = step.node;
  return place;
}

}  // namespace sources
