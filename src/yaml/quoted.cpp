#include "yaml/quoted.h"

#include <algorithm>
#include <cstddef>

namespace yaml {

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::size_t length = std::min(text.size(), kLongest);
  // Not within a character: its further bytes are 10xxxxxx.
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    ++length;
  }
  std::string shown(text.substr(0, length));
  std::ranges::replace_if(shown, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }, '?');
  return "'" + shown + (length < text.size() ? "...'" : "'");
}

}  // namespace yaml
