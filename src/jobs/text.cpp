#include "jobs/text.h"

#include <cstddef>

namespace jobs {
namespace {

constexpr std::size_t kMaxQuoted = 64;

/// The longest beginning of `text` of at most `size` bytes that ends with a whole UTF-8 character.
std::string_view cut(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (byte < 0x20U || byte == 0x7FU) {
    out += "\\u00";
    out += kHex[byte >> 4U];
    out += kHex[byte & 0x0FU];
  } else {
    out += c;
  }
}

}  // namespace

std::string quoted(std::string_view text) {
  const std::string_view head = cut(text, kMaxQuoted);
  std::string out = "\"";
  for (const char c : head) append_escaped(out, c);
  if (head.size() < text.size()) out += "...";
  out += '"';
  return out;
}

std::string shown(const Scalar& scalar) {
  switch (scalar.shape) {
    case Shape::string:
      return quoted(scalar.text);
    case Shape::number:
    case Shape::boolean:
      return std::string(cut(scalar.text, kMaxQuoted));
    default:
      return std::string(describe(scalar.shape));
  }
}

std::string path_key(std::string_view key) {
  std::string shown_key = quoted(key);
  if (shown_key.size() == key.size() + 2) return std::string(key);
  return shown_key;
}

std::string joined(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

}  // namespace jobs
