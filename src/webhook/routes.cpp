#include "webhook/routes.h"

#include <chrono>
#include <string>
#include <utility>

namespace webhook {
namespace {

http::Response text(int status, std::string body) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = std::move(body),
          .headers = {}};
}

http::Response readiness(const Health& health) {
  if (health.draining) return text(503, "not ready: shutting down\n");
  if (health.pair.get()->not_after <= std::chrono::system_clock::now()) {
    return text(503, "not ready: the serving certificate has expired\n");
  }
  return text(200, "ok\n");
}

http::Route review_route(const ReviewHandler& handler, std::string path,
                         admission::Endpoint endpoint) {
  return {.method = "POST",
          .path = std::move(path),
          .consumes = "application/json",
          .handler = [&handler, endpoint](const http::Request& request) {
            return handler.handle(request, endpoint);
          }};
}

http::Route get(std::string path, std::function<http::Response(const http::Request&)> handler) {
  return {.method = "GET", .path = std::move(path), .consumes = {}, .handler = std::move(handler)};
}

}  // namespace

std::vector<http::Route> review_routes(const ReviewHandler& handler) {
  return {review_route(handler, "/mutate", admission::Endpoint::mutate),
          review_route(handler, "/validate", admission::Endpoint::validate)};
}

std::vector<http::Route> operations_routes(const Health& health, const Metrics& metrics,
                                           std::function<void()> before_metrics) {
  return {get("/livez", [](const http::Request&) { return text(200, "ok\n"); }),
          get("/readyz", [&health](const http::Request&) { return readiness(health); }),
          get("/metrics", [&metrics, before = std::move(before_metrics)](const http::Request&) {
            before();
            return http::Response{.status = 200,
                                  .content_type = std::string(kMetricsType),
                                  .body = metrics.text(),
                                  .headers = {}};
          })};
}

}  // namespace webhook
