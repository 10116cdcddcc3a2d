#include "admission/patch.h"

#include <nlohmann/json.hpp>

#include "exit_codes/annotation.h"

namespace admission {
namespace {

using jobs::is_missing;
using jobs::Shape;
using nlohmann::ordered_json;

}  // namespace

std::string escape_pointer(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<PatchOperation> set_table(const std::string& metadata_path, Shape metadata,
                                        const jobs::Annotations& annotations,
                                        const std::optional<std::string>& wanted) {
  const bool patchable = is_missing(metadata) ||
                         (metadata == Shape::object &&
                          (is_missing(annotations.shape) || annotations.shape == Shape::object));
  if (!patchable) return std::nullopt;

  const std::string key(exit_codes::kTableAnnotation);
  const std::string annotations_path = metadata_path + "/annotations";
  const std::string table_path = annotations_path + "/" + escape_pointer(key);
  const jobs::Scalar current = annotations.find(key);
  if (!wanted) {
    if (current.shape == Shape::absent) return std::nullopt;
    return PatchOperation{table_path, std::nullopt};
  }
  if (current.is_string() && current.text == *wanted) return std::nullopt;
  if (metadata != Shape::object) {
    const ordered_json value{{"annotations", {{key, *wanted}}}};
    return PatchOperation{metadata_path, value.dump()};
  }
  if (annotations.shape != Shape::object) {
    const ordered_json value{{key, *wanted}};
    return PatchOperation{annotations_path, value.dump()};
  }
  return PatchOperation{table_path, ordered_json(*wanted).dump()};
}

std::string to_json(std::span<const PatchOperation> patch) {
  std::string out = "[";
  for (const PatchOperation& operation : patch) {
    if (out.size() > 1) out += ',';
    out += operation.value ? R"({"op":"add","path":)" : R"({"op":"remove","path":)";
    out += ordered_json(operation.path).dump();
    if (operation.value) out += R"(,"value":)" + *operation.value;
    out += '}';
  }
  out += ']';
  return out;
}

}  // namespace admission
