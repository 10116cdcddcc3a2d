#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http {

/// Why the server itself answers a request, without a handler.
struct Refusal {
  int status;
  std::string message;  ///< one sentence for people: what is wrong and what to send instead
  std::vector<std::pair<std::string, std::string>> headers;
};

/// The reason phrase of RFC 9110 for the statuses that the server itself gives; empty for others.
[[nodiscard]] std::string_view reason_phrase(int status) noexcept;

/// The whole reply: status line, fields with `Connection: close`, and the message as a line of
/// text, which is left out where the request's method was HEAD.
[[nodiscard]] std::string write_refusal(const Refusal& refusal, bool to_head_request = false);

}  // namespace http
