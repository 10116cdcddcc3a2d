#include "sources/source.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "sources/job_finder.h"
#include "sources/unrendered.h"
#include "yaml/json_stream.h"
#include "yaml/parse.h"
#include "yaml/text_index.h"

namespace sources {
namespace {

/// How many broken documents of one file are told; each costs another pass over the file.
constexpr std::size_t kMaxBroken = 8;

/// The offset of the next "---" that begins the line of `mark` or one behind it, and is behind
/// `begin`; npos if there is none.
std::size_t next_document(const yaml::TextIndex& index, std::string_view text, std::size_t begin,
                          const yaml::Mark& mark) {
  const std::size_t line = index.byte_of_mark({mark.line, 1});
  const std::size_t from = std::max(line, begin + 1);
  if (from == line && text.substr(line).starts_with("---")) return line;
  const std::size_t at = text.find("\n---", from - 1);
  return at == std::string_view::npos ? at : at + 1;
}

/// `text` with blanks up to `end`, so that places stay as they are.
std::string without_beginning(std::string_view text, std::size_t end) {
  std::string rest(text);
  std::replace_if(
      rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end),
      [](char c) { return c != '\n' && c != '\r'; }, ' ');
  return rest;
}

/// The place of one character.
yaml::Place point(const yaml::TextIndex& index, const yaml::Mark& mark) {
  const std::size_t offset = index.byte_of_mark(mark);
  return {mark, offset, offset};
}
yaml::Place point(const yaml::TextIndex& index, std::size_t offset) {
  return {index.mark_of_byte(offset), offset, offset};
}

/// Reads all documents, those behind a broken one too: kubectl splits a file before it reads.
std::vector<yaml::Document> read_documents(std::string_view text, std::vector<Error>& errors) {
  yaml::Stream stream =
      yaml::looks_like_json(text) ? yaml::parse_json_stream(text) : yaml::parse_stream(text);
  std::vector<yaml::Document> documents = std::move(stream.documents);
  if (!stream.error) return documents;
  const yaml::TextIndex index(text);
  std::size_t begin = 0;
  while (stream.error) {
    const yaml::Mark mark = stream.error->mark;
    if (const auto action = find_unrendered(text, mark.line)) {
      errors.push_back({"unrendered-template", point(index, *action), kRenderFirst});
      break;
    }
    errors.push_back({"invalid-yaml", point(index, mark), std::move(stream.error->message)});
    begin = next_document(index, text, begin, mark);
    if (begin == std::string_view::npos || errors.size() == kMaxBroken) break;
    stream = yaml::parse_stream(without_beginning(text, begin));
    std::ranges::move(stream.documents, std::back_inserter(documents));
  }
  return documents;
}

}  // namespace

Source read_source(std::string_view text) {
  Source source;
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (const std::size_t null = text.find('\0'); null != std::string_view::npos && !utf16) {
    source.errors.push_back({"invalid-yaml", point(yaml::TextIndex(text), null),
                             "this is binary data, not a manifest"});
    return source;
  }
  const std::vector<yaml::Document> documents = read_documents(text, source.errors);
  for (std::size_t number = 0; number < documents.size(); ++number) {
    find_jobs(documents[number].root, number, source);
  }
  const auto unknown = [](const Error& error) { return error.at.begin == kUnknownOffset; };
  if (std::ranges::any_of(source.errors, unknown)) {
    const yaml::TextIndex index(text);
    for (Error& error : source.errors) {
      if (unknown(error)) error.at = point(index, error.at.mark);
    }
  }
  const auto mark = [](const auto& told) { return told.at.mark; };
  std::ranges::stable_sort(source.errors, {}, mark);
  std::ranges::stable_sort(source.notes, {}, mark);
  return source;
}

}  // namespace sources
