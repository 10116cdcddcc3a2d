#include "http/router.h"

#include <string>
#include <string_view>
#include <utility>

namespace http {
namespace {

bool answers(const Route& route, std::string_view method) noexcept {
  return route.method == method || (route.method == "GET" && method == "HEAD");
}

void append_item(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string_view media_type(std::string_view content_type) noexcept {
  return trim(content_type.substr(0, content_type.find(';')));
}

bool brings_body(std::string_view method) noexcept {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

Refusal not_found(const std::vector<Route>& routes) {
  std::string known;
  for (const Route& route : routes) append_item(known, route.method + ' ' + route.path);
  return {404, "there is nothing at this path; this server answers " + known, {}};
}

}  // namespace

std::expected<const Route*, Refusal> find_route(const std::vector<Route>& routes,
                                                const Limits& limits, const Head& head) {
  const Route* found = nullptr;
  std::string allowed;
  for (const Route& route : routes) {
    if (route.path != head.path) continue;
    if (answers(route, head.method)) {
      found = &route;
      break;
    }
    append_item(allowed, route.method);
    if (route.method == "GET") append_item(allowed, "HEAD");
  }
  if (found == nullptr && allowed.empty()) return std::unexpected(not_found(routes));
  if (found == nullptr) {
    return std::unexpected(
        Refusal{405, "this path answers " + allowed + " only", {{"Allow", allowed}}});
  }
  if (head.chunked || (!head.content_length && brings_body(head.method))) {
    return std::unexpected(Refusal{411, "send the body with a Content-Length, not chunked", {}});
  }
  if (head.content_length.value_or(0) > limits.body) {
    return std::unexpected(
        Refusal{413, "the body is larger than " + std::to_string(limits.body) + " bytes", {}});
  }
  if (!head.content_encoding.empty() && !equal_ignoring_case(head.content_encoding, "identity")) {
    return std::unexpected(Refusal{415,
                                   "send the body as it is, without Content-Encoding",
                                   {{"Accept-Encoding", "identity"}}});
  }
  if (!found->consumes.empty() &&
      !equal_ignoring_case(media_type(head.content_type), found->consumes)) {
    return std::unexpected(Refusal{415, "send the body with Content-Type: " + found->consumes, {}});
  }
  return found;
}

}  // namespace http
