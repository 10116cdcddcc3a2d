#include "webhook/review_handler.h"

#include <chrono>
#include <string>
#include <utility>

#include "admission/response.h"
#include "admission/review.h"
#include "jobs/text.h"

namespace webhook {
namespace {

static_assert(http::kBodyPadding >= admission::kReviewPadding);

/// "TFJob", "default", "mnist", ...: who was asked about, for a line of the log.
void log_decision(const admission::Review& review, admission::Endpoint endpoint,
                  const admission::Decision& decision, Log& log) {
  using admission::Outcome;
  const bool notable = decision.outcome == Outcome::denied || decision.outcome == Outcome::warned ||
                       decision.outcome == Outcome::audited;
  const LogLevel level = notable ? LogLevel::info : LogLevel::debug;
  if (!log.writes(level)) return;
  const std::string rules = jobs::joined(decision.rules());
  log.write(level, decision.outcome == Outcome::denied ? "review denied" : "review answered",
            {{"uid", review.uid},
             {"endpoint", admission::to_string(endpoint)},
             {"operation", review.operation_name},
             {"kind", review.kind},
             {"namespace", review.name_space},
             {"name", decision.name},
             {"user", review.user},
             {"outcome", admission::to_string(decision.outcome)},
             {"rules", rules}});
}

}  // namespace

ReviewHandler::ReviewHandler(const Snapshot<admission::Settings>& settings, Metrics& metrics,
                             Log& log)
    : settings_(settings), metrics_(metrics), log_(log) {}

http::Response ReviewHandler::handle(const http::Request& request,
                                     admission::Endpoint endpoint) const {
  // Its memory is reused from review to review; a thread reads one at a time.
  thread_local admission::ReviewReader reader;
  const auto start = std::chrono::steady_clock::now();

  const auto review = reader.read(request.body);
  if (!review) {
    metrics_.count_malformed(endpoint);
    log_.write(LogLevel::info, "no AdmissionReview",
               {{"endpoint", admission::to_string(endpoint)},
                {"peer", request.peer},
                {"error", review.error()}});
    return {.status = 400,
            .content_type = "text/plain; charset=utf-8",
            .body = review.error() + "\n",
            .headers = {}};
  }
  const auto settings = settings_.get();
  const admission::Decision decision = admission::decide(*review, endpoint, *settings);
  std::string body = admission::write_response(*review, decision);
  metrics_.count(*review, endpoint, decision, std::chrono::steady_clock::now() - start);
  log_decision(*review, endpoint, decision, log_);
  return {
      .status = 200, .content_type = "application/json", .body = std::move(body), .headers = {}};
}

}  // namespace webhook
