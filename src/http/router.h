#pragma once

#include <expected>
#include <vector>

#include "http/head.h"
#include "http/limits.h"
#include "http/refusal.h"
#include "http/route.h"

namespace http {

/// The route that answers a request with this head, or why there is none, in this order: 404 for
/// the path, 405 for the method (with Allow), 411 for a body without length (chunked ones too),
/// 413 for one over `limits.body`, 415 for one of a wrong type or that is compressed. The pointer
/// goes into `routes`.
[[nodiscard]] std::expected<const Route*, Refusal> find_route(const std::vector<Route>& routes,
                                                              const Limits& limits,
                                                              const Head& head);

}  // namespace http
