#include "kube/bearer_token.h"

#include "http/pem.h"

namespace kube {
namespace {

constexpr std::chrono::minutes kFresh{1};

}  // namespace

std::string BearerToken::get() {
  if (file_.empty()) return token_;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (read_at_ == std::chrono::steady_clock::time_point{} || now - read_at_ >= kFresh) {
    if (const auto text = http::read_pem_file(file_)) {
      token_ = text->substr(0, text->find_last_not_of(" \t\r\n") + 1);
      read_at_ = now;
    }
  }
  return token_;
}

void BearerToken::forget() {
  const std::lock_guard lock(mutex_);
  read_at_ = {};
}

}  // namespace kube
