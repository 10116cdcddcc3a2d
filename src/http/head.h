#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "http/refusal.h"

namespace http {

/// What the head of a request says, as far as a server without proxies and ranges needs it. The
/// views point into the bytes that were read.
struct Head {
  std::string_view method;  ///< one that HTTP defines; not CONNECT
  std::string_view path;    ///< of origin-form or absolute-form, without the query, not decoded
  std::string_view content_type;
  std::string_view content_encoding;
  std::optional<std::uint64_t> content_length;  ///< the highest number where it is higher still
  bool chunked = false;                         ///< Transfer-Encoding: chunked
  bool http_1_0 = false;
  bool keep_alive = true;        ///< the client wants the connection kept
  bool expect_continue = false;  ///< Expect: 100-continue
};

/// Where the head at the beginning of `bytes` ends: the size of everything up to and with the
/// empty line, or 0 if it is not there yet. A Refusal as soon as the bytes cannot become a head.
[[nodiscard]] std::expected<std::size_t, Refusal> find_head_end(std::string_view bytes);

/// Reads a whole head, empty line included, as RFC 9112 has it and no more leniently: what two
/// readers could take for two different requests is refused with 400 (a bare LF, folded lines,
/// blanks before a colon, control characters, two Content-Length, Content-Length beside
/// Transfer-Encoding, no Host). 501: an unknown method or transfer coding; 505: not HTTP/1.x;
/// 417: an expectation other than 100-continue.
[[nodiscard]] std::expected<Head, Refusal> parse_head(std::string_view head);

/// The bytes `from`, which the views of `head` point into, are at the front of `to` now.
void move_head(Head& head, std::string_view from, std::string_view to) noexcept;

/// Equal but for the case of ASCII letters.
[[nodiscard]] bool equal_ignoring_case(std::string_view left, std::string_view right) noexcept;

/// `text` without blanks and tabs at its ends.
[[nodiscard]] std::string_view trim(std::string_view text) noexcept;

}  // namespace http
