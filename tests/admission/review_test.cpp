#include "admission/review.h"

#include <expected>
#include <string>
#include <string_view>

#include "tests/support/catch.h"

namespace {

/// A review's bytes with the padding that the reader may look at.
class Padded {
 public:
  explicit Padded(std::string_view text) : text_(text), size_(text.size()) {
    text_.resize(size_ + admission::kReviewPadding);
  }
  [[nodiscard]] std::string_view view() const { return std::string_view(text_).substr(0, size_); }

 private:
  std::string text_;
  std::size_t size_;
};

std::string error_of(std::string_view text) {
  const Padded padded(text);
  admission::ReviewReader reader;
  const auto review = reader.read(padded.view());
  return review ? "" : review.error();
}

std::string review_with(std::string_view request) {
  return R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":)" +
         std::string(request) + "}";
}

}  // namespace

TEST_CASE("a review's fields are found, in any order", "[admission][review]") {
  const Padded padded(R"({"request":{"object":{"metadata":{"name":"a"}},"operation":"UPDATE",
    "namespace":"ns","name":"n","uid":"u","subResource":"status",
    "userInfo":{"groups":["g"],"username":"ada"},
    "kind":{"version":"v1","kind":"TFJob","group":"kubeflow.org"},
    "requestKind":{"version":"v2","kind":"Other","group":"x"},
    "oldObject":{"metadata":{"name":"b"}}},
    "kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"})");
  admission::ReviewReader reader;
  const auto review = reader.read(padded.view());
  REQUIRE(review);
  CHECK(review->api_version == "admission.k8s.io/v1beta1");
  CHECK(review->uid == "u");
  CHECK(review->group == "kubeflow.org");
  CHECK(review->version == "v1");
  CHECK(review->kind == "TFJob");
  CHECK(review->sub_resource == "status");
  CHECK(review->name == "n");
  CHECK(review->name_space == "ns");
  CHECK(review->operation == admission::Operation::update);
  CHECK(review->user == "ada");
  CHECK(review->object.name == "a");
  CHECK(review->old_object.name == "b");
}

TEST_CASE("a reader reads one review after another, large ones too", "[admission][review]") {
  admission::ReviewReader reader;
  for (const std::size_t size : {10U, 3'000'000U, 10U, 700'000U}) {
    const std::string uid(size, 'u');
    const Padded padded(review_with(R"({"uid":")" + uid + R"("})"));
    const auto review = reader.read(padded.view());
    REQUIRE(review);
    CHECK(review->uid == uid);
    CHECK(review->object.shape == jobs::Shape::absent);
  }
}

TEST_CASE("operations other than CREATE and UPDATE are told apart", "[admission][review]") {
  for (const char* name : {"DELETE", "CONNECT", "create", ""}) {
    const Padded padded(review_with(R"({"uid":"u","operation":")" + std::string(name) + R"("})"));
    admission::ReviewReader reader;
    CHECK(reader.read(padded.view())->operation == admission::Operation::other);
  }
}

TEST_CASE("a body that is no JSON object is an error", "[admission][review]") {
  const std::string prefix = "the body is no JSON object with an AdmissionReview: ";
  for (const std::string& body :
       {std::string("not json"), std::string(), std::string("[]"), std::string("5"),
        std::string("\"text\""), std::string("null"), std::string("{"), std::string("{\"a\":"),
        review_with("{}") + "{}", review_with("{}").substr(1), std::string(200'000, '['),
        std::string("\xFF\xFE"), std::string(R"({"kind":"AdmissionReview" "x"})")}) {
    INFO(body.substr(0, 60));
    CHECK(error_of(body).starts_with(prefix));
  }
}

TEST_CASE("a body that is no AdmissionReview is told what is missing", "[admission][review]") {
  CHECK(error_of("{}") == "kind must be AdmissionReview, as the API server sends it");
  CHECK(error_of(R"({"kind":"TFJob","apiVersion":"kubeflow.org/v1"})") ==
        "kind must be AdmissionReview, as the API server sends it");
  CHECK(error_of(R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2",
                     "request":{"uid":"u"}})") ==
        "apiVersion must be admission.k8s.io/v1 or admission.k8s.io/v1beta1");
  CHECK(error_of(R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})") ==
        "the AdmissionReview has no request");
  for (const char* request : {"{}", R"({"uid":""})", R"({"uid":5})", "[]", "null", "\"x\""}) {
    INFO(request);
    CHECK(error_of(review_with(request)) == "the AdmissionReview has no request.uid");
  }
}

TEST_CASE("deep nesting in what is skipped costs nothing", "[admission][review]") {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  CHECK(error_of(review_with(R"({"uid":"u","options":)" + deep + "}")).empty());
  CHECK(error_of(review_with(R"({"uid":"u","object":{"spec":{"x":)" + deep + "}}}")).empty());
}
