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

std::string why_not_ready(const Health& health) {
  if (health.draining) return "shutting down";
  if (health.pair.get()->not_after <= std::chrono::system_clock::now()) {
    return "the serving certificate has expired";
  }
  return {};
}

std::vector<http::Route> operations_routes(std::function<std::string()> why_not_ready,
                                           std::function<std::string()> metrics) {
  return {
      get("/livez", [](const http::Request&) { return text(200, "ok\n"); }),
      get("/readyz",
          [ask = std::move(why_not_ready)](const http::Request&) {
            const std::string why = ask();
            return why.empty() ? text(200, "ok\n") : text(503, "not ready: " + why + "\n");
          }),
      get("/metrics", [ask = std::move(metrics)](const http::Request&) {
        return http::Response{
            .status = 200, .content_type = std::string(kMetricsType), .body = ask(), .headers = {}};
      })};
}

}  // namespace webhook
