#include "admission/response.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "admission/json_text.h"
#include "admission/patch.h"
#include "jobs/finding.h"
#include "jobs/text.h"

namespace admission {
namespace {

using jobs::Finding;

constexpr int kUnprocessable = 422;

// A patch of two or three tables fits.
constexpr std::size_t kExpectedSize = 4096;

std::vector<const Finding*> denials(const Decision& decision) {
  std::vector<const Finding*> found;
  for (const Finding& finding : decision.findings) {
    if (finding.severity == jobs::Severity::denied) found.push_back(&finding);
  }
  return found;
}

/// `"key":` behind a comma where it is not the first.
void append_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out += ',';
  out.append("\"").append(key).append("\":");
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  append_key(out, key);
  append_json_string(out, text);
}

/// A metav1.Status, as the API server itself makes one for an invalid object.
void append_status(std::string& out, const Review& review, const Decision& decision) {
  append_key(out, "status");
  out += '{';
  append_text(out, "status", "Failure");
  append_text(out, "message", denial_message(review, decision));
  append_text(out, "reason", "Invalid");
  append_key(out, "details");
  out += '{';
  append_text(out, "name", decision.name);
  append_text(out, "group", review.group);
  append_text(out, "kind", review.kind);
  append_key(out, "causes");
  out += '[';
  for (const Finding* finding : denials(decision)) {
    out += out.back() == '[' ? "{" : ",{";
    append_text(out, "reason", "FieldValueInvalid");
    append_text(out, "message", finding->message);
    append_text(out, "field", finding->field);
    out += '}';
  }
  out += "]}";
  append_key(out, "code");
  out += std::to_string(kUnprocessable);
  out += '}';
}

void append_audit_annotations(std::string& out, const Decision& decision) {
  append_key(out, "auditAnnotations");
  out += '{';
  append_text(out, "outcome", to_string(decision.outcome));
  const std::vector<std::string_view> rules = decision.rules();
  if (!rules.empty()) append_text(out, "rules", jobs::joined(rules));
  if (!decision.profile.empty()) append_text(out, "profile", decision.profile);
  out += '}';
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
  std::string out;
  out.reserve(kExpectedSize);
  out += '{';
  append_text(out, "apiVersion", review.api_version);
  append_text(out, "kind", "AdmissionReview");
  append_key(out, "response");
  out += '{';
  append_text(out, "uid", review.uid);
  append_key(out, "allowed");
  out += decision.allowed() ? "true" : "false";
  if (!decision.allowed()) append_status(out, review, decision);
  if (!decision.patch.empty()) {
    append_text(out, "patchType", "JSONPatch");
    append_key(out, "patch");
    out += '"';
    append_base64(out, decision.patch);
    out += '"';
  }
  if (!decision.warnings.empty()) {
    append_key(out, "warnings");
    out += '[';
    for (const std::string& warning : decision.warnings) {
      if (out.back() != '[') out += ',';
      append_json_string(out, warning);
    }
    out += ']';
  }
  if (decision.outcome != Outcome::ignored) append_audit_annotations(out, decision);
  out += "}}";
  return out;
}

}  // namespace admission
