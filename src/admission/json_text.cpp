#include "admission/json_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace admission {
namespace {

bool needs_no_escape(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

bool is_ascii_text(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  using nlohmann::json;
  if (std::ranges::all_of(text, needs_no_escape)) {
    out.append("\"").append(text).append("\"");
    return;
  }
  if (!std::ranges::all_of(text, is_ascii_text)) {
    out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

}  // namespace admission
