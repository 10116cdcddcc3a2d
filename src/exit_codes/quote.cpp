#include "exit_codes/quote.h"

#include <cstddef>

namespace exit_codes {
namespace {

constexpr std::size_t kMaxQuotedBytes = 40;

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

/// How many bytes the printable character at the front of `text` has; 0 if there is none.
std::size_t printable_length(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  std::size_t length = 2;
  if (lead >= 0xE0) length = 3;
  if (lead >= 0xF0) length = 4;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return 0;
  }
  // The second byte also tells C1 controls, overlong forms, surrogates and what is beyond U+10FFFF.
  const unsigned second = byte_at(text, 1);
  const bool too_low = (lead == 0xC2 && second < 0xA0) || (lead == 0xE0 && second < 0xA0) ||
                       (lead == 0xF0 && second < 0x90);
  const bool too_high = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return too_low || too_high ? 0 : length;
}

}  // namespace

std::string quote(std::string_view text) {
  std::string quoted = "'";
  std::size_t used = 0;
  while (used < text.size()) {
    const std::size_t length = printable_length(text.substr(used));
    if (text.size() > kMaxQuotedBytes && used + (length == 0 ? 1 : length) > kMaxQuotedBytes) break;
    if (length == 0) {
      quoted.push_back('?');
      ++used;
    } else {
      quoted.append(text.substr(used, length));
      used += length;
    }
  }
  if (used < text.size()) quoted += "...";
  quoted.push_back('\'');
  return quoted;
}

}  // namespace exit_codes
