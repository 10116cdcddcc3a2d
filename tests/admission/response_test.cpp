#include "admission/response.h"

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/review.h"

using admission::Decision;
using admission::Outcome;
using admission::Review;
using nlohmann::ordered_json;

namespace {

Review review() {
  Review review;
  review.api_version = "admission.k8s.io/v1";
  review.uid = "u-1";
  review.group = "kubeflow.org";
  review.version = "v1";
  review.kind = "TFJob";
  return review;
}

jobs::Finding finding(std::string field, jobs::Severity severity = jobs::Severity::denied) {
  return {.rule = severity == jobs::Severity::denied ? "rule-d" : "rule-w",
          .severity = severity,
          .field = std::move(field),
          .value = {},
          .message = "mend it"};
}

}  // namespace

TEST_CASE("what is ignored is allowed and nothing else", "[admission][response]") {
  CHECK(admission::write_response(review(), {}) ==
        R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",)"
        R"("response":{"uid":"u-1","allowed":true}})");
}

TEST_CASE("the answer has the version of the question", "[admission][response]") {
  Review beta = review();
  beta.api_version = "admission.k8s.io/v1beta1";
  CHECK(ordered_json::parse(admission::write_response(beta, {}))["apiVersion"] ==
        "admission.k8s.io/v1beta1");
}

TEST_CASE("a denial is a Status as Kubernetes makes one", "[admission][response]") {
  Decision decision;
  decision.outcome = Outcome::denied;
  decision.name = "mnist";
  decision.findings = {finding("spec.a"), finding("spec.b"),
                       finding("spec.c", jobs::Severity::warned)};
  const auto response =
      ordered_json::parse(admission::write_response(review(), decision))["response"];
  CHECK(response == ordered_json::parse(R"({
    "uid": "u-1", "allowed": false,
    "status": {
      "status": "Failure",
      "message": "TFJob.kubeflow.org \"mnist\" is invalid: [spec.a: mend it, spec.b: mend it]",
      "reason": "Invalid",
      "details": {"name": "mnist", "group": "kubeflow.org", "kind": "TFJob", "causes": [
        {"reason": "FieldValueInvalid", "message": "mend it", "field": "spec.a"},
        {"reason": "FieldValueInvalid", "message": "mend it", "field": "spec.b"}]},
      "code": 422},
    "auditAnnotations": {"outcome": "denied", "rules": "rule-d, rule-w"}})"));
}

TEST_CASE("a denial for one finding needs no brackets", "[admission][response]") {
  Decision decision;
  decision.outcome = Outcome::denied;
  decision.findings = {finding("spec.a")};
  CHECK(admission::denial_message(review(), decision) ==
        "TFJob.kubeflow.org \"\" is invalid: spec.a: mend it");
}

TEST_CASE("patch, warnings and audit annotations are written", "[admission][response]") {
  Decision decision;
  decision.outcome = Outcome::allowed;
  decision.profile = "kubeflow";
  decision.warnings = {"spec.a: mind this"};
  decision.patch = {{"/metadata/annotations", R"({"k":"v"})"}};
  const auto answer = ordered_json::parse(admission::write_response(review(), decision));
  const auto& response = answer["response"];
  CHECK(response["allowed"] == true);
  CHECK(response["patchType"] == "JSONPatch");
  CHECK(response["warnings"] == ordered_json{"spec.a: mind this"});
  CHECK(response["auditAnnotations"] ==
        ordered_json{{"outcome", "allowed"}, {"profile", "kubeflow"}});
  CHECK(support::patch_of(answer) ==
        ordered_json::parse(R"([{"op":"add","path":"/metadata/annotations","value":{"k":"v"}}])"));
}

TEST_CASE("invalid UTF-8 is replaced, not passed on", "[admission][response]") {
  Review strange = review();
  strange.uid = "u\xFF";
  const auto answer = ordered_json::parse(admission::write_response(strange, {}));
  CHECK(answer["response"]["uid"] == "u\xEF\xBF\xBD");
}

TEST_CASE("every outcome has its word", "[admission][decision]") {
  CHECK(admission::to_string(Outcome::ignored) == "ignored");
  CHECK(admission::to_string(Outcome::allowed) == "allowed");
  CHECK(admission::to_string(Outcome::ratcheted) == "ratcheted");
  CHECK(admission::to_string(Outcome::warned) == "warned");
  CHECK(admission::to_string(Outcome::audited) == "audited");
  CHECK(admission::to_string(Outcome::denied) == "denied");
}
