// The head of a request: it is read in pieces as in one, and a refusal says why.

#include <string>

#include "http/head.h"
#include "http/router.h"
#include "tests/fuzz/target.h"

namespace {

bool inside(std::string_view part, std::string_view whole) {
  return part.data() == nullptr || part == "/" ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(fuzz::text(data, size));
  const auto end = http::find_head_end(bytes);
  if (!end) {
    fuzz::require(end.error().status >= 400 && !end.error().message.empty());
    return 0;
  }
  // What is no head yet may become one: no prefix of a head is refused.
  for (std::size_t part = 0; part < *end; ++part) {
    const auto before = http::find_head_end(std::string_view(bytes).substr(0, part));
    fuzz::require(before.has_value() && *before == 0);
  }
  if (*end == 0) return 0;
  const std::string head_text = bytes.substr(0, *end);
  auto head = http::parse_head(head_text);
  if (!head) {
    fuzz::require(!http::reason_phrase(head.error().status).empty());
    return 0;
  }
  fuzz::require(inside(head->method, head_text) && inside(head->path, head_text) &&
                inside(head->content_type, head_text) && inside(head->content_encoding, head_text));
  fuzz::require(!(head->chunked && head->content_length));
  // The bytes may move while the body is awaited.
  const std::string copy(head_text.begin(), head_text.end());
  const http::Head before = *head;
  http::move_head(*head, head_text, copy);
  fuzz::require(head->method == before.method && head->path == before.path &&
                head->content_type == before.content_type &&
                head->content_encoding == before.content_encoding);
  fuzz::require(head->path == "/" || inside(head->path, copy));
  return 0;
}
