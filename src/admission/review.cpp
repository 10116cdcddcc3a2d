#include "admission/review.h"

#include <utility>

#include <simdjson.h>

#include "jobs/reader.h"

namespace admission {
namespace {

namespace od = simdjson::ondemand;
using jobs::for_each_field;
using jobs::read_scalar;
using jobs::Scalar;
using jobs::Shape;
using simdjson::error_code;

static_assert(kReviewPadding >= simdjson::SIMDJSON_PADDING);

/// A reader that has seen one large review gives its memory back behind this size.
constexpr std::size_t kKeptCapacity = std::size_t{256} * 1024;

/// Reads a string; anything else counts as empty.
error_code read_text(od::value value, std::string_view& text) {
  Scalar scalar;
  if (const auto error = read_scalar(value, scalar)) return error;
  text = scalar.is_string() ? scalar.text : std::string_view{};
  return simdjson::SUCCESS;
}

/// Reads the fields of an object; anything else has none.
template <class OnField>
error_code read_fields(od::value value, OnField on_field) {
  Shape shape = Shape::absent;
  if (const auto error = jobs::read_shape(value, shape)) return error;
  return shape == Shape::object ? for_each_field(value, on_field) : simdjson::SUCCESS;
}

error_code read_kind(od::value value, Review& review) {
  return read_fields(value, [&](std::string_view key, od::value field) {
    if (key == "group") return read_text(field, review.group);
    if (key == "version") return read_text(field, review.version);
    if (key == "kind") return read_text(field, review.kind);
    return simdjson::SUCCESS;
  });
}

error_code read_request(od::value value, Review& review) {
  return read_fields(value, [&](std::string_view key, od::value field) {
    if (key == "uid") return read_text(field, review.uid);
    if (key == "kind") return read_kind(field, review);
    if (key == "subResource") return read_text(field, review.sub_resource);
    if (key == "name") return read_text(field, review.name);
    if (key == "namespace") return read_text(field, review.name_space);
    if (key == "operation") return read_text(field, review.operation_name);
    if (key == "object") return jobs::read_job(field, review.object);
    if (key == "oldObject") return jobs::read_job(field, review.old_object);
    if (key == "userInfo") {
      return read_fields(field, [&](std::string_view name, od::value item) {
        return name == "username" ? read_text(item, review.user) : simdjson::SUCCESS;
      });
    }
    return simdjson::SUCCESS;
  });
}

Operation parse_operation(std::string_view name) {
  if (name == "CREATE") return Operation::create;
  if (name == "UPDATE") return Operation::update;
  return Operation::other;
}

}  // namespace

struct ReviewReader::State {
  od::parser parser;
};

ReviewReader::ReviewReader() : state_(std::make_unique<State>()) {}
ReviewReader::~ReviewReader() = default;
ReviewReader::ReviewReader(ReviewReader&&) noexcept = default;
ReviewReader& ReviewReader::operator=(ReviewReader&&) noexcept = default;

std::expected<Review, std::string> ReviewReader::read(std::string_view body) {
  const auto no_json = [](error_code error) {
    return std::unexpected("the body is no JSON object with an AdmissionReview: " +
                           std::string(simdjson::error_message(error)));
  };
  if (state_->parser.capacity() > kKeptCapacity && body.size() <= kKeptCapacity) {
    state_->parser = od::parser();
  }
  od::document document;
  if (const auto error =
          state_->parser.iterate(body.data(), body.size(), body.size() + kReviewPadding)
              .get(document)) {
    return no_json(error);
  }
  od::value root;
  if (const auto error = document.get_value().get(root)) return no_json(error);

  Review review;
  std::string_view kind;
  bool has_request = false;
  const auto error = for_each_field(root, [&](std::string_view key, od::value field) {
    if (key == "apiVersion") return read_text(field, review.api_version);
    if (key == "kind") return read_text(field, kind);
    if (key == "request") {
      has_request = true;
      return read_request(field, review);
    }
    return simdjson::SUCCESS;
  });
  if (error) return no_json(error);
  // Behind the end of the document there is no location.
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    return no_json(simdjson::TRAILING_CONTENT);
  }

  if (kind != "AdmissionReview") {
    return std::unexpected("kind must be AdmissionReview, as the API server sends it");
  }
  if (review.api_version != "admission.k8s.io/v1" &&
      review.api_version != "admission.k8s.io/v1beta1") {
    return std::unexpected("apiVersion must be admission.k8s.io/v1 or admission.k8s.io/v1beta1");
  }
  if (!has_request) return std::unexpected("the AdmissionReview has no request");
  if (review.uid.empty()) return std::unexpected("the AdmissionReview has no request.uid");
  review.operation = parse_operation(review.operation_name);
  return review;
}

}  // namespace admission
