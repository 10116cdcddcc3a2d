#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "jobs/job.h"

namespace admission {

/// Spare bytes that must be readable behind the bytes of a review (simdjson reads past the end).
inline constexpr std::size_t kReviewPadding = 64;

enum class Operation { create, update, other };

/// An AdmissionReview request (admission.k8s.io/v1 or v1beta1), as far as it matters here. Views
/// live until the reader's next review, and as long as the bytes that it was read from.
struct Review {
  std::string_view api_version;  ///< of the review: the answer has the same
  std::string_view uid;
  std::string_view group;  ///< group, version and kind: those of `request.kind`
  std::string_view version;
  std::string_view kind;
  std::string_view sub_resource;
  std::string_view name;  ///< may be empty: generateName
  std::string_view name_space;
  std::string_view operation_name;
  Operation operation = Operation::other;
  std::string_view user;  ///< userInfo.username
  jobs::Job object;
  jobs::Job old_object;
};

/// Reads reviews. Reuses its memory from one to the next; for one thread at a time.
class ReviewReader {
 public:
  ReviewReader();
  ~ReviewReader();
  ReviewReader(const ReviewReader&) = delete;
  ReviewReader& operator=(const ReviewReader&) = delete;
  ReviewReader(ReviewReader&&) noexcept;
  ReviewReader& operator=(ReviewReader&&) noexcept;

  /// Reads the review in `body`, behind which kReviewPadding bytes are readable. An error says what
  /// is wrong with the body: no JSON, no AdmissionReview, no uid.
  [[nodiscard]] std::expected<Review, std::string> read(std::string_view body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace admission
