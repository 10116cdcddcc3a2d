#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "http/byte_budget.h"
#include "http/event.h"
#include "http/limits.h"
#include "http/responder.h"
#include "http/route.h"

namespace http {

/// What the connections of one server share. Thread-safe, and valid as long as any of them.
class Service {
 public:
  Service(const Limits& its_limits, std::vector<Route> its_routes,
          std::vector<std::string> its_client_names, Observer its_observer)
      : limits(its_limits),
        routes(std::move(its_routes)),
        client_names(std::move(its_client_names)),
        observer(its_observer ? std::move(its_observer) : [](const Event&) {}),
        budget(its_limits.buffered) {}

  const Limits limits;
  const std::vector<Route> routes;
  const std::vector<std::string> client_names;  ///< of client certificates; empty: any
  const Observer observer;                      ///< never empty
  const Responder responder;
  ByteBudget budget;
  std::atomic<bool> draining{false};        ///< every reply says close
  std::atomic<std::size_t> connections{0};  ///< accepted and not ended
};

}  // namespace http
