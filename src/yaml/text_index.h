#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "yaml/error.h"

namespace yaml {

/// The offset of the first byte of `text` that does not belong to well-formed UTF-8 (RFC 3629: no
/// surrogates, no overlong forms), or nullopt if there is none.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Finds lines, columns and bytes by the number of characters before them, which is how libyaml
/// counts. A byte order mark at the beginning is no character. Immutable; keeps a view of the text.
class TextIndex {
 public:
  /// `text` is well-formed UTF-8 up to the last place that is asked for.
  explicit TextIndex(std::string_view text);

  /// The text without its byte order mark.
  [[nodiscard]] std::string_view body() const { return text_.substr(body_begin_); }

  /// The place of the character number `index`, counted from 0. An index past the end stands for
  /// the end. Logarithmic in the number of lines.
  [[nodiscard]] Mark mark_of_char(std::size_t index) const;

  /// The offset in the whole text of the character number `index`. Constant time.
  [[nodiscard]] std::size_t byte_of_char(std::size_t index) const;

  /// The place of the byte at `offset` of the whole text. Logarithmic in the size of the text.
  [[nodiscard]] Mark mark_of_byte(std::size_t offset) const;

  /// The offset in the whole text of what is at `mark`; the end for a line behind the last one.
  [[nodiscard]] std::size_t byte_of_mark(const Mark& mark) const;

 private:
  std::string_view text_;
  std::size_t body_begin_ = 0;
  std::size_t chars_ = 0;
  std::vector<std::size_t> line_starts_;  ///< number of the first character of each line
  std::vector<std::size_t> checkpoints_;  ///< offset of every 64th character; empty for ASCII
};

}  // namespace yaml
