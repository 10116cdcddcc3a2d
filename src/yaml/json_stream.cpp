#include "yaml/json_stream.h"

#include <algorithm>
#include <memory>
#include <string>

#include <simdjson.h>

#include "yaml/text_index.h"

namespace yaml {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;

constexpr std::string_view kSpace = " \t\r\n";

/// Behind the last byte of the object that begins `text`, or npos if it does not end.
std::size_t end_of_object(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = text.find_first_of("{}[]\""); at != std::string_view::npos;
       at = text.find_first_of("{}[]\"", at + 1)) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
      if (at >= text.size()) return std::string_view::npos;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (--depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

/// Makes nodes of one JSON object. Strict: anything that is no JSON is an error.
class JsonBuilder {
 public:
  /// `text` is the object, at the byte `begin` of what `index` was made from; `nodes` counts on.
  JsonBuilder(const TextIndex& index, std::string_view text, std::size_t begin, std::size_t& nodes)
      : index_(index), text_(text), begin_(begin), padded_(text), nodes_(nodes) {}

  error_code read(od::parser& parser, Node& node) {
    if (const auto error = parser.iterate(padded_).get(document_)) return error;
    od::value root;
    if (const auto error = document_.get_value().get(root)) return error;
    return read_value(root, 0, node);
  }

 private:
  /// The place of `token`, a part of `padded_`.
  Place place(std::string_view token) {
    const std::size_t begin = begin_ + static_cast<std::size_t>(token.data() - padded_.data());
    return {index_.mark_of_byte(begin), begin, begin + token.size()};
  }

  /// Behind the value that was read last.
  const char* behind() {
    const char* next = nullptr;
    if (document_.current_location().get(next)) next = padded_.data() + text_.size();
    while (kSpace.find(next[-1]) != std::string_view::npos) --next;
    return next;
  }

  error_code read_value(od::value value, std::size_t level, Node& node) {
    od::json_type type{};
    if (const auto error = value.type().get(type)) return error;
    if (++nodes_ > kMaxNodes) return simdjson::CAPACITY;
    auto content = std::make_shared<Content>();
    std::string_view token = value.raw_json_token();
    token = token.substr(0, token.find_last_not_of(kSpace) + 1);
    if (type == od::json_type::object || type == od::json_type::array) {
      if (level == kMaxDepth) return simdjson::DEPTH_ERROR;
      const bool object = type == od::json_type::object;
      content->kind = object ? Kind::mapping : Kind::sequence;
      content->style = Style::flow;
      const Place begin = place(token);
      if (const auto error = object ? read_entries(value, level + 1, *content)
                                    : read_items(value, level + 1, *content)) {
        return error;
      }
      const Place whole{begin.mark, begin.begin,
                        begin_ + static_cast<std::size_t>(behind() - padded_.data())};
      node = Node(whole, std::move(content), false);
      return simdjson::SUCCESS;
    }
    if (const auto error = read_scalar(value, type, token, *content)) return error;
    node = Node(place(token), std::move(content), false);
    return simdjson::SUCCESS;
  }

  static error_code read_scalar(od::value value, od::json_type type, std::string_view token,
                                Content& content) {
    if (type == od::json_type::string) {
      std::string_view text;
      if (const auto error = value.get_string().get(text)) return error;
      content.style = Style::double_quoted;
      content.text = text;
      return simdjson::SUCCESS;
    }
    content.implicit = true;
    content.text = token;
    if (type == od::json_type::number) {
      double number = 0;
      return value.get_double().get(number);
    }
    // simdjson goes on behind a literal without having looked at all of it.
    const bool literal = token == "true" || token == "false" || token == "null";
    return literal ? simdjson::SUCCESS : simdjson::T_ATOM_ERROR;
  }

  error_code read_items(od::value value, std::size_t level, Content& content) {
    od::array array;
    if (const auto error = value.get_array().get(array)) return error;
    for (auto result : array) {
      od::value item;
      if (const auto error = std::move(result).get(item)) return error;
      if (const auto error = read_value(item, level, content.items.emplace_back())) return error;
    }
    return simdjson::SUCCESS;
  }

  error_code read_entries(od::value value, std::size_t level, Content& content) {
    od::object object;
    if (const auto error = value.get_object().get(object)) return error;
    for (auto result : object) {
      od::field field;
      if (const auto error = std::move(result).get(field)) return error;
      const char* const written = field.key().raw();
      const char* end = written;
      while (*end != '"') end += *end == '\\' ? 2 : 1;
      std::string_view name;
      if (const auto error = field.unescaped_key().get(name)) return error;
      auto key = std::make_shared<Content>();
      key->style = Style::double_quoted;
      key->text = name;
      Entry& entry = content.entries.emplace_back();
      entry.name = name;
      entry.key = Node(place({written - 1, end + 1}), std::move(key), false);
      if (const auto error = read_value(field.value(), level, entry.value)) return error;
    }
    return simdjson::SUCCESS;
  }

  const TextIndex& index_;
  std::string_view text_;
  std::size_t begin_;
  simdjson::padded_string padded_;
  std::size_t& nodes_;
  od::document document_;
};

/// `text` up to `end`, with blanks for what is before `begin`, so that places stay as they are.
std::string alone(std::string_view text, std::size_t begin, std::size_t end) {
  std::string part(text.substr(0, end));
  std::replace_if(
      part.begin(), part.begin() + static_cast<std::ptrdiff_t>(begin),
      [](char c) { return c != '\n' && c != '\r'; }, ' ');
  return part;
}

}  // namespace

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  return first != std::string_view::npos && text[first] == '{';
}

Stream parse_json_stream(std::string_view text) {
  const std::size_t stop = find_invalid_utf8(text).value_or(text.size());
  if (stop != text.size()) return parse_stream(text);
  const TextIndex index(text);
  od::parser parser;
  Stream stream;
  std::size_t nodes = 0;
  for (std::size_t begin = text.find_first_not_of(kSpace); begin != std::string_view::npos;) {
    const std::string_view rest = text.substr(begin);
    // Something else behind an object: documents that '---' separates.
    if (!rest.starts_with('{')) return parse_stream(text);
    const std::size_t length = std::min(end_of_object(rest), rest.size());
    Node root;
    if (JsonBuilder(index, rest.substr(0, length), begin, nodes).read(parser, root)) {
      if (stream.documents.empty()) return parse_stream(text);
      if (nodes > kMaxNodes) {
        stream.error = Error{index.mark_of_byte(begin), too_many_nodes()};
        return stream;
      }
      stream.error = parse_stream(alone(text, begin, begin + length)).error;
      if (!stream.error) {
        stream.error = Error{index.mark_of_byte(begin),
                             "this object is not JSON, as the one before it is: put keys and "
                             "strings in double quotes, and no comma before a closing bracket"};
      }
      return stream;
    }
    stream.documents.push_back({std::move(root)});
    begin = text.find_first_not_of(kSpace, begin + length);
  }
  return stream;
}

}  // namespace yaml
