#include "tests/support/review.h"

#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <openssl/evp.h>

#include "admission/response.h"
#include "admission/review.h"

namespace support {

using nlohmann::ordered_json;

ordered_json make_review(const ordered_json& object, const ReviewSpec& spec) {
  const std::string api_version = object.value("apiVersion", "kubeflow.org/v1");
  const std::size_t slash = api_version.find('/');
  const std::string kind = object.value("kind", "TFJob");
  const ordered_json group_version_kind{{"group", api_version.substr(0, slash)},
                                        {"version", api_version.substr(slash + 1)},
                                        {"kind", kind}};
  const ordered_json metadata = object.value("metadata", ordered_json::object());
  ordered_json request{{"uid", "705ab4f5-6393-11e8-b7cc-42010a800002"},
                       {"kind", group_version_kind},
                       {"requestKind", group_version_kind},
                       {"namespace", spec.name_space},
                       {"operation", spec.operation},
                       {"userInfo", {{"username", "ada"}, {"groups", {"system:authenticated"}}}},
                       {"object", object},
                       {"oldObject", spec.old_object},
                       {"dryRun", false},
                       {"options", {{"kind", "CreateOptions"}, {"apiVersion", "meta.k8s.io/v1"}}}};
  if (metadata.is_object() && metadata.contains("name")) request["name"] = metadata["name"];
  return {{"kind", "AdmissionReview"},
          {"apiVersion", spec.api_version},
          {"request", std::move(request)}};
}

ordered_json answer(const std::string& review, const admission::Settings& settings,
                    admission::Endpoint endpoint) {
  // A buffer of its own, so that a sanitizer sees each read behind the padding.
  std::string padded = review;
  padded.resize(review.size() + admission::kReviewPadding);
  admission::ReviewReader reader;
  const auto request = reader.read(std::string_view(padded).substr(0, review.size()));
  if (!request) throw std::runtime_error(request.error());
  return ordered_json::parse(
      admission::write_response(*request, admission::decide(*request, endpoint, settings)));
}

std::string base64_decode(const std::string& text) {
  std::vector<unsigned char> bytes(text.size());
  const auto* const from = reinterpret_cast<const unsigned char*>(text.data());
  const int size = EVP_DecodeBlock(bytes.data(), from, static_cast<int>(text.size()));
  if (size < 0) throw std::runtime_error("no base64: " + text);
  // OpenSSL counts the padding as zero bytes.
  const std::size_t padding = text.size() - (text.find_last_not_of('=') + 1);
  return {bytes.begin(), bytes.begin() + size - static_cast<std::ptrdiff_t>(padding)};
}

ordered_json patch_of(const ordered_json& response) {
  if (!response["response"].contains("patch")) return ordered_json::array();
  if (response["response"]["patchType"] != "JSONPatch") throw std::runtime_error("no patchType");
  return ordered_json::parse(base64_decode(response["response"]["patch"].get<std::string>()));
}

ordered_json patched(const ordered_json& object, const ordered_json& response) {
  return object.patch(patch_of(response));
}

}  // namespace support
