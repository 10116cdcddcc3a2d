#include "http/head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace http {
namespace {

constexpr std::array<std::string_view, 8> kMethods{"GET",    "HEAD",    "POST",  "PUT",
                                                   "DELETE", "OPTIONS", "TRACE", "PATCH"};

using Result = std::expected<void, Refusal>;

std::unexpected<Refusal> refuse(int status, std::string message) {
  return std::unexpected(Refusal{status, std::move(message), {}});
}

std::unexpected<Refusal> bad(std::string message) { return refuse(400, std::move(message)); }

constexpr bool is_alphanumeric(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

constexpr bool is_token_character(char c) noexcept {
  return is_alphanumeric(c) ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_token_character);
}

constexpr bool is_visible_ascii(char c) noexcept { return c > ' ' && c < '\x7f'; }

constexpr bool is_control_character(char c) noexcept {
  return (c >= '\0' && c < ' ' && c != '\t') || c == '\x7f';
}

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// Calls f with each item of a comma-separated list, empty ones apart, until it gives false.
template <typename F>
bool for_each_item(std::string_view list, F f) {
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = trim(list.substr(0, comma));
    if (!item.empty() && !f(item)) return false;
    if (comma == list.size()) return true;
    list.remove_prefix(comma + 1);
  }
}

Result read_version(std::string_view text, Head& head) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() != 8 || !text.starts_with("HTTP/") || !is_digit(text[5]) || text[6] != '.' ||
      !is_digit(text[7])) {
    return bad("the request line is not \"METHOD /path HTTP/1.1\"");
  }
  if (text[5] != '1') return refuse(505, "this server speaks HTTP/1.1 only");
  head.http_1_0 = text[7] == '0';
  head.keep_alive = !head.http_1_0;
  return {};
}

Result read_target(std::string_view target, Head& head) {
  if (target.empty() || !std::ranges::all_of(target, is_visible_ascii) ||
      target.find('#') != std::string_view::npos) {
    return bad("the request target has characters that must be percent-encoded");
  }
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!equal_ignoring_case(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::size_t authority = std::min(target.find_first_of("/?"), target.size());
    if (authority == 0) return bad("the request target has no host behind its scheme");
    target.remove_prefix(authority);
    if (!target.starts_with('/')) target = "/";
  }
  if (!target.starts_with('/') && (target != "*" || head.method != "OPTIONS")) {
    return bad("the request target must begin with '/'");
  }
  head.path = target.substr(0, target.find('?'));
  return {};
}

Result read_request_line(std::string_view line, Head& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return bad("the request line is not \"METHOD /path HTTP/1.1\"");
  }
  head.method = line.substr(0, first);
  if (!is_token(head.method)) return bad("the request line does not begin with a method");
  if (auto version = read_version(line.substr(last + 1), head); !version) return version;
  if (std::ranges::find(kMethods, head.method) == kMethods.end()) {
    return refuse(501, "this server does not know the method of the request");
  }
  return read_target(line.substr(first + 1, last - first - 1), head);
}

Result read_content_length(std::string_view value, Head& head) {
  if (head.content_length) return bad("Content-Length is given twice");
  std::uint64_t length = 0;
  const char* const end = std::to_address(value.end());
  const auto [rest, error] = std::from_chars(std::to_address(value.begin()), end, length);
  if (error == std::errc::invalid_argument || rest != end) {
    return bad("Content-Length must be one decimal number");
  }
  const bool overflow = error == std::errc::result_out_of_range;
  head.content_length = overflow ? std::numeric_limits<std::uint64_t>::max() : length;
  return {};
}

Result read_transfer_encoding(std::string_view value, Head& head) {
  if (head.chunked) return bad("Transfer-Encoding is given twice");
  if (!equal_ignoring_case(value, "chunked")) {
    return refuse(501, "this server does not know the Transfer-Encoding of the request");
  }
  head.chunked = true;
  return {};
}

Result read_expect(std::string_view value, Head& head) {
  const bool known = for_each_item(
      value, [](std::string_view item) { return equal_ignoring_case(item, "100-continue"); });
  if (!known) return refuse(417, "the only expectation that this server meets is 100-continue");
  head.expect_continue = !head.http_1_0;  // RFC 9110, 10.1.1: ignored from HTTP/1.0
  return {};
}

Result read_once(std::string_view name, std::string_view value, std::string_view& field) {
  if (field.data() != nullptr) return bad(std::string(name) + " is given twice");
  field = value;
  return {};
}

// The fields that more than one line decides about.
struct Fields {
  std::string_view host;
  bool close = false;
  bool keep_alive = false;
};

Result read_field(std::string_view line, Fields& fields, Head& head) {
  if (line.starts_with(' ') || line.starts_with('\t')) {
    return bad("a header field is folded over two lines; write it on one");
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return bad("a header line is not \"Name: value\"");
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trim(line.substr(colon + 1));
  if (std::ranges::any_of(value, is_control_character)) {
    return bad("a header field has a control character in its value");
  }
  const auto is = [name](std::string_view other) { return equal_ignoring_case(name, other); };
  if (is("Content-Length")) return read_content_length(value, head);
  if (is("Transfer-Encoding")) return read_transfer_encoding(value, head);
  if (is("Expect")) return read_expect(value, head);
  if (is("Content-Type")) return read_once("Content-Type", value, head.content_type);
  if (is("Content-Encoding")) return read_once("Content-Encoding", value, head.content_encoding);
  if (is("Host")) return read_once("Host", value, fields.host);
  if (is("Connection")) {
    for_each_item(value, [&fields](std::string_view option) {
      fields.close |= equal_ignoring_case(option, "close");
      fields.keep_alive |= equal_ignoring_case(option, "keep-alive");
      return true;
    });
  }
  return {};
}

}  // namespace

void move_head(Head& head, std::string_view from, std::string_view to) noexcept {
  for (std::string_view* view :
       {&head.method, &head.path, &head.content_type, &head.content_encoding}) {
    // What is absent points nowhere, and the path "/" of an absolute form to a constant.
    const char* const begin = view->data();
    const std::less<> before;
    if (before(begin, from.data()) || before(from.data() + from.size(), begin)) continue;
    *view = {to.data() + (begin - from.data()), view->size()};
  }
}

bool equal_ignoring_case(std::string_view left, std::string_view right) noexcept {
  return left.size() == right.size() &&
         std::ranges::equal(left, right, [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view trim(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(" \t");
  // Not an empty view of nowhere: a field without a value is a field all the same.
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::expected<std::size_t, Refusal> find_head_end(std::string_view bytes) {
  if (!bytes.empty() && !is_token_character(bytes.front())) {
    return bad("the request line does not begin with a method; is it plain HTTP that you speak?");
  }
  std::size_t line = 0;
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos;
       at = bytes.find('\n', line)) {
    if (at == line || bytes[at - 1] != '\r') return bad("a header line ends with LF, not CR LF");
    if (at == line + 1) return at + 1;
    line = at + 1;
  }
  return 0;
}

std::expected<Head, Refusal> parse_head(std::string_view head) {
  constexpr std::string_view kLineEnd = "\r\n";
  Head result;
  Fields fields;
  bool first = true;
  while (true) {
    const std::size_t end = head.find(kLineEnd);
    if (end == std::string_view::npos) return bad("the head does not end with an empty line");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + kLineEnd.size());
    if (line.empty() && !first) break;
    if (line.find_first_of(kLineEnd) != std::string_view::npos) {
      return bad("a header line has a CR or LF within");
    }
    auto read = first ? read_request_line(line, result) : read_field(line, fields, result);
    if (!read) return std::unexpected(std::move(read.error()));
    first = false;
  }
  if (fields.host.data() == nullptr && !result.http_1_0) return bad("there is no Host field");
  if (result.chunked && (result.content_length || result.http_1_0)) {
    return bad("Transfer-Encoding does not go with Content-Length, nor with HTTP/1.0");
  }
  if (fields.keep_alive) result.keep_alive = true;
  if (fields.close) result.keep_alive = false;
  return result;
}

}  // namespace http
