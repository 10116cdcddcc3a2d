#include "yaml/text_index.h"

#include <algorithm>

namespace yaml {
namespace {

constexpr std::size_t kCheckpointStep = 64;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

unsigned char byte_at(std::string_view text, std::size_t offset) {
  return static_cast<unsigned char>(text[offset]);
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

bool starts_char(std::string_view text, std::size_t offset) {
  return !is_continuation(byte_at(text, offset));
}

/// The length of the well-formed sequence at `offset`, 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t offset) {
  const unsigned char lead = byte_at(text, offset);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char lowest = 0x80;
  unsigned char highest = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) lowest = 0xA0;
    if (lead == 0xED) highest = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) lowest = 0x90;
    if (lead == 0xF4) highest = 0x8F;
  }
  if (length == 0 || text.size() - offset < length) return 0;
  const unsigned char second = byte_at(text, offset + 1);
  if (second < lowest || second > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_continuation(byte_at(text, offset + i))) return 0;
  }
  return length;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::size_t length = sequence_length(text, offset);
    if (length == 0) return offset;
    offset += length;
  }
  return std::nullopt;
}

TextIndex::TextIndex(std::string_view text)
    : text_(text), body_begin_(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {
  line_starts_.push_back(0);
  std::vector<std::size_t> checkpoints;
  bool ascii = true;
  for (std::size_t offset = body_begin_; offset < text.size(); ++offset) {
    if (!starts_char(text, offset)) {
      ascii = false;
      continue;
    }
    if (chars_ % kCheckpointStep == 0) checkpoints.push_back(offset);
    ++chars_;
    const char c = text[offset];
    const bool return_alone = c == '\r' && !text.substr(offset + 1).starts_with('\n');
    if (c == '\n' || return_alone) line_starts_.push_back(chars_);
  }
  if (!ascii) checkpoints_ = std::move(checkpoints);
}

Mark TextIndex::mark_of_char(std::size_t index) const {
  index = std::min(index, chars_);
  const auto next_line = std::ranges::upper_bound(line_starts_, index);
  const std::size_t line_start = *(next_line - 1);
  return {static_cast<std::size_t>(next_line - line_starts_.begin()), index - line_start + 1};
}

std::size_t TextIndex::byte_of_char(std::size_t index) const {
  if (index >= chars_) return text_.size();
  if (checkpoints_.empty()) return body_begin_ + index;
  std::size_t offset = checkpoints_[index / kCheckpointStep];
  for (std::size_t left = index % kCheckpointStep; left > 0; --left) {
    ++offset;
    while (!starts_char(text_, offset)) ++offset;
  }
  return offset;
}

Mark TextIndex::mark_of_byte(std::size_t offset) const {
  const std::size_t end = std::min(offset, text_.size());
  if (end <= body_begin_) return {};
  if (checkpoints_.empty()) return mark_of_char(end - body_begin_);
  const auto next = std::ranges::upper_bound(checkpoints_, end);
  const std::size_t before = static_cast<std::size_t>(next - checkpoints_.begin()) - 1;
  std::size_t index = before * kCheckpointStep;
  for (std::size_t i = checkpoints_[before]; i < end; ++i) {
    if (starts_char(text_, i)) ++index;
  }
  return mark_of_char(index);
}

std::size_t TextIndex::byte_of_mark(const Mark& mark) const {
  if (mark.line > line_starts_.size()) return text_.size();
  return byte_of_char(line_starts_[mark.line - 1] + mark.column - 1);
}

}  // namespace yaml
