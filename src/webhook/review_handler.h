#pragma once

#include "admission/decide.h"
#include "admission/settings.h"
#include "http/request.h"
#include "http/response.h"
#include "webhook/log.h"
#include "webhook/metrics.h"
#include "webhook/snapshot.h"

namespace webhook {

/// Answers AdmissionReviews: reads the body, decides, writes the response, counts, and logs each
/// denial. Safe for use from many threads.
class ReviewHandler {
 public:
  /// All three must outlive the handler. Each review is judged by the settings of its moment.
  ReviewHandler(const Snapshot<admission::Settings>& settings, Metrics& metrics, Log& log);

  /// 200 with an AdmissionReview, or 400 with a sentence if the body is none.
  [[nodiscard]] http::Response handle(const http::Request& request,
                                      admission::Endpoint endpoint) const;

 private:
  const Snapshot<admission::Settings>& settings_;
  Metrics& metrics_;
  Log& log_;
};

}  // namespace webhook
