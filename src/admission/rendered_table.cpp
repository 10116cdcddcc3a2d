#include "admission/rendered_table.h"

#include "admission/base64.h"
#include "admission/json_text.h"
#include "exit_codes/annotation.h"

namespace admission {

RenderedTable::RenderedTable(const exit_codes::Table& table) : value(exit_codes::encode(table)) {
  for (const PatchLevel level :
       {PatchLevel::table, PatchLevel::annotations, PatchLevel::metadata}) {
    const auto at = static_cast<std::size_t>(level);
    json.at(at) = patch_value(value, level);
    append_base64_piece(piece.at(at), R"("value":)" + json.at(at) + "}");
  }
}

std::vector<RenderedTable> render(const exit_codes::Profiles& profiles) {
  return {profiles.all().begin(), profiles.all().end()};
}

std::string patch_value(const std::string& value, PatchLevel level) {
  std::string text;
  if (level == PatchLevel::metadata) text += R"({"annotations":)";
  if (level != PatchLevel::table) {
    text += '{';
    append_json_string(text, exit_codes::kTableAnnotation);
    text += ':';
  }
  append_json_string(text, value);
  if (level != PatchLevel::table) text += '}';
  if (level == PatchLevel::metadata) text += '}';
  return text;
}

}  // namespace admission
