#include "admission/patch.h"

#include <cstddef>
#include <utility>

#include "admission/base64.h"
#include "admission/json_text.h"
#include "exit_codes/annotation.h"

namespace admission {
namespace {

using jobs::is_missing;
using jobs::Shape;

constexpr const char* kTableBelowMetadata = "/annotations/exit-codes.kubeflow.org~1table";

PatchOperation add(std::string path, const WantedTable& wanted, PatchLevel level) {
  if (wanted.rendered == nullptr) return {std::move(path), patch_value(wanted.value, level)};
  const auto at = static_cast<std::size_t>(level);
  return {std::move(path), wanted.rendered->json.at(at), &wanted.rendered->piece.at(at)};
}

/// An operation without its value, behind the comma that parts it from the one before.
void append_front(std::string& out, const PatchOperation& operation) {
  out += operation.value ? R"(,{"op":"add","path":)" : R"(,{"op":"remove","path":)";
  append_json_string(out, operation.path);
  out += operation.value ? "," : "}";
}

void append_value(std::string& out, const std::string& value) {
  out.append(R"("value":)").append(value).append("}");
}

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
                                        const std::optional<WantedTable>& wanted) {
  const bool patchable = is_missing(metadata) ||
                         (metadata == Shape::object &&
                          (is_missing(annotations.shape) || annotations.shape == Shape::object));
  if (!patchable) return std::nullopt;

  const jobs::Scalar current = annotations.find(exit_codes::kTableAnnotation);
  if (!wanted) {
    if (current.shape == Shape::absent) return std::nullopt;
    return PatchOperation{metadata_path + kTableBelowMetadata, std::nullopt};
  }
  if (current.is_string() && current.text == wanted->value) return std::nullopt;
  if (metadata != Shape::object) return add(metadata_path, *wanted, PatchLevel::metadata);
  if (annotations.shape != Shape::object) {
    return add(metadata_path + "/annotations", *wanted, PatchLevel::annotations);
  }
  return add(metadata_path + kTableBelowMetadata, *wanted, PatchLevel::table);
}

std::string to_json(std::span<const PatchOperation> patch) {
  std::string out;
  for (const PatchOperation& operation : patch) {
    append_front(out, operation);
    if (operation.value) append_value(out, *operation.value);
  }
  out += patch.empty() ? "[]" : "]";
  if (!patch.empty()) out.front() = '[';
  return out;
}

void append_base64(std::string& out, std::span<const PatchOperation> patch) {
  std::string piece;
  for (const PatchOperation& operation : patch) {
    append_front(piece, operation);
    if (&operation == patch.data()) piece.front() = '[';
    if (operation.piece != nullptr) {
      append_base64_piece(out, std::move(piece));
      out += *operation.piece;
      piece.clear();
    } else if (operation.value) {
      append_value(piece, *operation.value);
    }
  }
  append_base64(out, piece + (patch.empty() ? "[]" : "]"));
}

}  // namespace admission
