#include "jobs/job.h"

#include <algorithm>

namespace jobs {

std::string_view describe(Shape shape) noexcept {
  switch (shape) {
    case Shape::absent:
      return "nothing";
    case Shape::null:
      return "null";
    case Shape::string:
      return "a string";
    case Shape::number:
      return "a number";
    case Shape::boolean:
      return "a boolean";
    case Shape::array:
      return "a list";
    case Shape::object:
      return "an object";
  }
  return "nothing";
}

Scalar Annotations::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(ours, key, &Annotation::key);
  return found == ours.end() ? Scalar{} : found->value;
}

const ReplicaSpecs* Job::find_specs(std::string_view field) const noexcept {
  const auto found = std::ranges::find(specs, field, &ReplicaSpecs::field);
  return found == specs.end() ? nullptr : &*found;
}

}  // namespace jobs
