#pragma once

#include <string>
#include <vector>

namespace policies {

/// A variable of an admission policy. Those before it can be used in `expression`.
struct Variable {
  std::string name;
  std::string expression;  ///< CEL
};

/// What both policies know of a job: `key` (`TFJob/v1`), `field`, `allowed` and `container` of its
/// kind, whether it `folds` case and is `listed` (v1alpha1); its `specs` and whether they are
/// `shaped` right; `entries` (name, index in the document, raw) and, of those that are whole,
/// `replicas` (name, index, raw, template, policy); the `annotations` of the job and its templates.
/// With `old`: `oldSpecs`, `oldEntries`, `oldReplicas` and `oldAnnotations` of the stored object,
/// empty on CREATE.
[[nodiscard]] std::vector<Variable> job_variables();

/// A list with the annotations of what stands at the CEL expression `holder`, or an empty one.
[[nodiscard]] std::string annotations_of(const std::string& holder);

/// `WHAT` is an object, also where it may be missing: `type(HOLDER.?FIELD.orValue(null)) == map`.
[[nodiscard]] std::string has_map(const std::string& holder, const std::string& field);

}  // namespace policies
