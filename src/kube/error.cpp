#include "kube/error.h"

#include <cstddef>

#include <nlohmann/json.hpp>

namespace kube {
namespace {

/// How much of an answer that is no Status is told.
constexpr std::size_t kMaxText = 200;

}  // namespace

Error error_of(int status, const std::string& body) {
  Error error{.status = status, .reason = {}, .message = {}};
  const auto object = nlohmann::json::parse(body, nullptr, false);
  if (object.is_object()) {
    const auto text = [&object](const char* key) {
      const auto found = object.find(key);
      return found != object.end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
    };
    error.reason = text("reason");
    error.message = text("message");
  }
  if (error.message.empty()) error.message = body.substr(0, kMaxText);
  if (error.message.empty()) error.message = "no message";
  return error;
}

std::string to_string(const Error& error) {
  if (error.status == 0) return error.message;
  return std::to_string(error.status) + (error.reason.empty() ? "" : " " + error.reason) + ": " +
         error.message;
}

}  // namespace kube
