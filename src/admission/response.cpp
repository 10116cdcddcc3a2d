#include "admission/response.h"

#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include "jobs/finding.h"
#include "jobs/text.h"

namespace admission {
namespace {

using jobs::Finding;
using nlohmann::ordered_json;

constexpr int kUnprocessable = 422;

std::string base64(std::string_view text) {
  std::string out(4 * ((text.size() + 2) / 3) + 1, '\0');  // EVP_EncodeBlock ends with a NUL
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::vector<const Finding*> denials(const Decision& decision) {
  std::vector<const Finding*> found;
  for (const Finding& finding : decision.findings) {
    if (finding.severity == jobs::Severity::denied) found.push_back(&finding);
  }
  return found;
}

/// A metav1.Status, as the API server itself makes one for an invalid object.
ordered_json status(const Review& review, const Decision& decision) {
  ordered_json causes = ordered_json::array();
  for (const Finding* finding : denials(decision)) {
    causes.push_back({{"reason", "FieldValueInvalid"},
                      {"message", finding->message},
                      {"field", finding->field}});
  }
  return {{"status", "Failure"},
          {"message", denial_message(review, decision)},
          {"reason", "Invalid"},
          {"details",
           {{"name", decision.name},
            {"group", review.group},
            {"kind", review.kind},
            {"causes", std::move(causes)}}},
          {"code", kUnprocessable}};
}

ordered_json audit_annotations(const Decision& decision) {
  ordered_json annotations{{"outcome", to_string(decision.outcome)}};
  const std::vector<std::string_view> rules = decision.rules();
  if (!rules.empty()) annotations["rules"] = jobs::joined(rules);
  if (!decision.profile.empty()) annotations["profile"] = decision.profile;
  return annotations;
}

}  // namespace

std::string denial_message(const Review& review, const Decision& decision) {
  const std::vector<const Finding*> found = denials(decision);
  std::string list;
  for (const Finding* finding : found) {
    if (!list.empty()) list += ", ";
    list += finding->field + ": " + finding->message;
  }
  if (found.size() > 1) list = "[" + list + "]";
  return std::string(review.kind) + "." + std::string(review.group) + " " +
         jobs::quoted(decision.name) + " is invalid: " + list;
}

std::string write_response(const Review& review, const Decision& decision) {
  ordered_json response{{"uid", review.uid}, {"allowed", decision.allowed()}};
  if (!decision.allowed()) response["status"] = status(review, decision);
  if (!decision.patch.empty()) {
    response["patchType"] = "JSONPatch";
    response["patch"] = base64(to_json(decision.patch));
  }
  if (!decision.warnings.empty()) response["warnings"] = decision.warnings;
  if (decision.outcome != Outcome::ignored) {
    response["auditAnnotations"] = audit_annotations(decision);
  }
  const ordered_json review_json{{"apiVersion", review.api_version},
                                 {"kind", "AdmissionReview"},
                                 {"response", std::move(response)}};
  return review_json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace admission
