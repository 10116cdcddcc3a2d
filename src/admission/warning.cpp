#include "admission/warning.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace admission {
namespace {

constexpr std::size_t kMaxLine = 120;
constexpr std::size_t kMinField = 24;  // of a path: enough for "...[Worker].restartPolicy"
constexpr std::string_view kCut = "...";
constexpr std::string_view kColon = ": ";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The first bytes of `text`, at most `size`, ending with a whole character.
std::string_view head(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && continues_character(text[size])) --size;
  return text.substr(0, size);
}

/// The last bytes of `text`, at most `size`, beginning with a whole character.
std::string_view tail(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  text.remove_prefix(text.size() - size);
  while (!text.empty() && continues_character(text.front())) text.remove_prefix(1);
  return text;
}

/// Replaces the control characters of ASCII and of Latin-1 (U+0080 to U+009F) by blanks: the API
/// server drops a warning that has one.
std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (byte == 0xC2U && next >= 0x80U && next <= 0x9FU) {
      out += ' ';
      ++i;
    } else {
      out += byte < 0x20U || byte == 0x7FU ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::string warning_line(const jobs::Finding& finding) {
  std::string field = clean(finding.field);
  std::string message = clean(finding.message);
  if (field.size() + kColon.size() + message.size() > kMaxLine) {
    const std::size_t room = kMaxLine - kColon.size();
    const std::size_t for_field = std::max(kMinField, room - std::min(room, message.size()));
    if (field.size() > for_field) {
      field = std::string(kCut) + std::string(tail(field, for_field - kCut.size()));
    }
    const std::size_t for_message = room - field.size();
    if (message.size() > for_message) {
      message = std::string(head(message, for_message - kCut.size())) + std::string(kCut);
    }
  }
  return field + std::string(kColon) + message;
}

}  // namespace admission
