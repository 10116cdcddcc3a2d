#include "yaml/text_index.h"

#include <string>

#include "tests/support/catch.h"

using yaml::Mark;
using yaml::TextIndex;

TEST_CASE("characters have lines, columns and bytes", "[yaml][text_index]") {
  const std::string text = "aé\r\n€b\rc\nd";
  const TextIndex index(text);
  CHECK(index.body() == text);
  CHECK(index.mark_of_char(0) == Mark{1, 1});
  CHECK(index.mark_of_char(1) == Mark{1, 2});
  CHECK(index.mark_of_char(3) == Mark{1, 4});
  CHECK(index.mark_of_char(4) == Mark{2, 1});
  CHECK(index.mark_of_char(5) == Mark{2, 2});
  CHECK(index.mark_of_char(7) == Mark{3, 1});
  CHECK(index.mark_of_char(9) == Mark{4, 1});
  CHECK(index.byte_of_char(1) == 1);
  CHECK(index.byte_of_char(2) == 3);
  CHECK(index.byte_of_char(5) == 8);
  CHECK(index.mark_of_byte(8) == Mark{2, 2});
}

TEST_CASE("an index past the end stands for the end", "[yaml][text_index]") {
  const TextIndex index("é\n");
  CHECK(index.mark_of_char(2) == Mark{2, 1});
  CHECK(index.mark_of_char(99) == Mark{2, 1});
  CHECK(index.byte_of_char(99) == 3);
  CHECK(index.mark_of_byte(99) == Mark{2, 1});
  CHECK(TextIndex("").mark_of_char(0) == Mark{1, 1});
  CHECK(TextIndex("").byte_of_char(0) == 0);
}

TEST_CASE("a byte order mark is no character", "[yaml][text_index]") {
  const TextIndex index("\xEF\xBB\xBFx");
  CHECK(index.body() == "x");
  CHECK(index.byte_of_char(0) == 3);
  CHECK(index.mark_of_byte(3) == Mark{1, 1});
}

TEST_CASE("bytes and marks are turned into each other in long texts", "[yaml][text_index]") {
  std::string text = "\xEF\xBB\xBF";
  for (int i = 0; i < 100; ++i) text += "aé€ b\n";
  const TextIndex index(text);
  for (std::size_t line = 1; line <= 100; ++line) {
    const std::size_t begin = 3 + (line - 1) * 9;
    CHECK(index.mark_of_byte(begin) == Mark{line, 1});
    CHECK(index.mark_of_byte(begin + 3) == Mark{line, 3});
    CHECK(index.byte_of_mark({line, 3}) == begin + 3);
    CHECK(index.byte_of_mark({line, 5}) == begin + 7);
  }
  CHECK(index.byte_of_mark({102, 1}) == text.size());
}

TEST_CASE("invalid UTF-8 is found where it begins", "[yaml][text_index]") {
  using yaml::find_invalid_utf8;
  CHECK(find_invalid_utf8("") == std::nullopt);
  CHECK(find_invalid_utf8("aé€😀\xED\x9F\xBF\xF4\x8F\xBF\xBF") == std::nullopt);
  CHECK(find_invalid_utf8("a\x80") == 1U);
  CHECK(find_invalid_utf8("é\xC3") == 2U);
  CHECK(find_invalid_utf8("\xC3x") == 0U);
  CHECK(find_invalid_utf8("ab\xE0\x9F\xBF") == 2U);
  CHECK(find_invalid_utf8("\xED\xA0\x80") == 0U);
  CHECK(find_invalid_utf8("\xF0\x8F\xBF\xBF") == 0U);
  CHECK(find_invalid_utf8("\xE2\x82") == 0U);
  CHECK(find_invalid_utf8("\xE2\x82z") == 0U);
  CHECK(find_invalid_utf8("\xFE") == 0U);
}
