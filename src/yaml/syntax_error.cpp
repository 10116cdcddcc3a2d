#include "yaml/syntax_error.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace yaml {
namespace {

/// What we say for a problem of libyaml's.
struct Translation {
  std::string_view problem;
  std::string_view message;
  bool at_context = false;  ///< the mistake is where the context begins, not where libyaml noticed
};

constexpr std::array kTranslations = {
    Translation{"found a tab character that violates indentation",
                "a tab cannot indent: use spaces"},
    Translation{"found a tab character where an indentation space is expected",
                "a tab cannot indent: use spaces"},
    Translation{"mapping values are not allowed in this context",
                "unexpected ':': quote a value that contains ': ', or check the indentation"},
    Translation{"block sequence entries are not allowed in this context",
                "unexpected '-': begin a list on a line of its own, or quote the value"},
    Translation{"mapping keys are not allowed in this context",
                "unexpected '?': check the indentation, or quote the value"},
    Translation{"could not find expected ':'",
                "no ':' follows this key: write 'key: value', or check the indentation", true},
    Translation{"did not find expected key",
                "expected a key of the mapping here: check the indentation and the quotes before"},
    Translation{"did not find expected '-' indicator",
                "expected '- ' and the next item of the list here: check the indentation"},
    Translation{"found undefined tag handle",
                "this tag is not defined: quote a value that begins with '!'"},
    Translation{"found unexpected document indicator",
                "the quote that opens here is not closed before the document ends", true},
    Translation{"found unknown escape character",
                "unknown escape: write '\\\\' for a backslash, or use single quotes"},
    Translation{"did not find expected hexdecimal number",
                "expected hexadecimal digits behind this escape"},
    Translation{"found invalid Unicode character escape code",
                "this escape stands for no character"},
    Translation{"did not find expected comment or line break",
                "expected the end of the line here: the text after '|' or '>' begins on the next"},
    Translation{"found an indentation indicator equal to 0", "the indentation must be 1 to 9"},
    Translation{"did not find expected <document start>",
                "expected '---' or the end of the file here"},
    Translation{"did not find expected node content", "expected a value here"},
    Translation{"found incompatible YAML document", "only YAML 1.1 and 1.2 can be read"},
    Translation{"control characters are not allowed",
                "this control character cannot be written: use an escape in double quotes"},
};

/// The character number `index` of the body, up to its last byte.
std::string_view char_at(const TextIndex& index, std::size_t number) {
  const std::size_t base = index.byte_of_char(0);
  const std::size_t begin = index.byte_of_char(number) - base;
  return index.body().substr(begin, index.byte_of_char(number + 1) - base - begin);
}

Error unclosed(const yaml_parser_t& parser, const TextIndex& index, std::string_view what,
               std::string_view expected) {
  const std::size_t line = index.mark_of_char(parser.context_mark.index).line;
  std::string message = "the " + std::string(what) + " opened in line " + std::to_string(line) +
                        " goes on: expected ',' or '" + std::string(expected) + "' here";
  return {index.mark_of_char(parser.problem_mark.index), std::move(message)};
}

}  // namespace

Error syntax_error(const yaml_parser_t& parser, const TextIndex& index) {
  if (parser.error == YAML_MEMORY_ERROR) return {{}, "out of memory"};
  const std::string_view problem = parser.problem == nullptr ? "" : parser.problem;
  const std::string_view context = parser.context == nullptr ? "" : parser.context;
  // Readers know bytes, scanners and parsers characters.
  const Mark mark = parser.error == YAML_READER_ERROR
                        ? index.mark_of_byte(index.byte_of_char(0) + parser.problem_offset)
                        : index.mark_of_char(parser.problem_mark.index);

  if (problem == "found character that cannot start any token") {
    const std::string_view c = char_at(index, parser.problem_mark.index);
    if (c == "\t") return {mark, "a tab cannot indent: use spaces"};
    return {mark, "a value cannot begin with '" + std::string(c) + "': quote it"};
  }
  if (problem == "did not find expected ',' or ']'") return unclosed(parser, index, "list", "]");
  if (problem == "did not find expected ',' or '}'") {
    return unclosed(parser, index, "mapping", "}");
  }
  if (problem == "found unexpected end of stream") {
    if (context == "while scanning a quoted scalar") {
      return {index.mark_of_char(parser.context_mark.index),
              "the quote that opens here is not closed"};
    }
    return {mark, "the text ends too early"};
  }
  const auto* const found = std::ranges::find(kTranslations, problem, &Translation::problem);
  if (found != kTranslations.end()) {
    return {found->at_context ? index.mark_of_char(parser.context_mark.index) : mark,
            std::string(found->message)};
  }
  std::string message(problem);
  if (!context.empty()) message.append(" ").append(context);
  return {mark, std::move(message)};
}

}  // namespace yaml
