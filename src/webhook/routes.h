#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "http/route.h"
#include "webhook/metrics.h"
#include "webhook/review_handler.h"
#include "webhook/serving_pair.h"
#include "webhook/snapshot.h"

namespace webhook {

/// What /readyz tells of. A configuration is always loaded: without one the program does not start,
/// and a bad new one keeps the old.
struct Health {
  const Snapshot<ServingPair>& pair;
  std::atomic<bool> draining = false;
};

/// `POST /mutate` and `POST /validate`: all that the TLS port serves. `handler` must outlive them.
[[nodiscard]] std::vector<http::Route> review_routes(const ReviewHandler& handler);

/// Why the webhook is not ready, in a few words; empty if it is.
[[nodiscard]] std::string why_not_ready(const Health& health);

/// `GET /livez`, `/readyz` and `/metrics`, for the plain port. `why_not_ready` gives an empty text
/// if the program is ready; `metrics` all metrics in the text exposition format.
[[nodiscard]] std::vector<http::Route> operations_routes(std::function<std::string()> why_not_ready,
                                                         std::function<std::string()> metrics);

}  // namespace webhook
