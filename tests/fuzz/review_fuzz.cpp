// From a request's bytes to the response's: both endpoints, and what must hold of every answer.

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "admission/decide.h"
#include "admission/review.h"
#include "http/request.h"
#include "tests/fuzz/target.h"
#include "tests/support/review.h"
#include "webhook/review_handler.h"

namespace {

using admission::Endpoint;
using nlohmann::ordered_json;

class Webhook {
 public:
  http::Response answer(std::string_view body, Endpoint endpoint) const {
    // Memory of its own, so that a sanitizer sees each read behind the padding.
    std::vector<char> bytes(body.begin(), body.end());
    bytes.resize(body.size() + http::kBodyPadding);
    const http::Request request{"POST", "/", "application/json", "127.0.0.1:1",
                                std::string_view(bytes.data(), body.size())};
    return handler_.handle(request, endpoint);
  }

 private:
  webhook::Log log_{webhook::LogFormat::json, webhook::LogLevel::error};
  webhook::Metrics metrics_;
  webhook::Snapshot<admission::Settings> settings_{std::make_shared<const admission::Settings>()};
  webhook::ReviewHandler handler_{settings_, metrics_, log_};
};

/// Applying an answer's patch makes an object that the webhook leaves as it is.
void check_patch(const Webhook& webhook, const std::string& body, const ordered_json& mutated) {
  ordered_json review = ordered_json::parse(body, nullptr, false);
  if (review.is_discarded() || !review.is_object() || !review["request"].is_object()) return;
  ordered_json& object = review["request"]["object"];
  // Where a key stands twice, nlohmann's reader and Go's keep one of them, and so does the patched
  // object.
  object = support::patched(object, mutated);
  const auto again = ordered_json::parse(webhook.answer(review.dump(), Endpoint::mutate).body);
  fuzz::require(again["response"]["allowed"] == true);
  fuzz::require(!again["response"].contains("patch"));
}

bool has_duplicate_keys(const std::string& body) {
  std::vector<std::vector<std::string>> open;
  bool twice = false;
  const ordered_json::parser_callback_t look = [&](int, ordered_json::parse_event_t event,
                                                   ordered_json& parsed) {
    if (event == ordered_json::parse_event_t::object_start) open.emplace_back();
    if (event == ordered_json::parse_event_t::object_end) open.pop_back();
    if (event == ordered_json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      for (const std::string& other : open.back()) twice |= other == key;
      open.back().push_back(key);
    }
    return true;
  };
  return ordered_json::parse(body, look, false).is_discarded() || twice;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Webhook webhook;
  const std::string body(fuzz::text(data, size));
  const http::Response mutated = webhook.answer(body, Endpoint::mutate);
  const http::Response validated = webhook.answer(body, Endpoint::validate);
  fuzz::require(mutated.status == validated.status);
  fuzz::require(mutated.status == 200 || (mutated.status == 400 && !mutated.body.empty()));
  if (mutated.status != 200) return 0;
  const auto answer = ordered_json::parse(mutated.body);
  const auto other = ordered_json::parse(validated.body);
  fuzz::require(answer["response"]["uid"].is_string());
  fuzz::require(answer["response"]["allowed"] == other["response"]["allowed"]);
  fuzz::require(!other["response"].contains("patch"));
  if (answer["response"].contains("warnings")) {
    for (const auto& warning : answer["response"]["warnings"]) {
      fuzz::require(warning.get<std::string>().size() <= 120);
    }
  }
  if (answer["response"].contains("patch") && !has_duplicate_keys(body)) {
    check_patch(webhook, body, answer);
  }
  return 0;
}
