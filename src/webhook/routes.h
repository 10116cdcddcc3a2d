#pragma once

#include <atomic>
#include <functional>
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

/// `GET /livez`, `/readyz` and `/metrics`, for the plain port. `before_metrics` is called each time
/// that metrics are asked for. `health` and `metrics` must outlive the routes.
[[nodiscard]] std::vector<http::Route> operations_routes(const Health& health,
                                                         const Metrics& metrics,
                                                         std::function<void()> before_metrics);

}  // namespace webhook
