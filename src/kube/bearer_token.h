#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

namespace kube {

/// A bearer token, from a file or fixed. A file is read again each minute: the kubelet rotates
/// tokens well before they end. Safe for use from many threads.
class BearerToken {
 public:
  /// Of `file` if that is not empty, else `fixed`, which may be empty: none.
  BearerToken(std::string fixed, std::filesystem::path file)
      : file_(std::move(file)), token_(std::move(fixed)) {}

  /// What to send now; the one before where the file cannot be read.
  [[nodiscard]] std::string get();
  /// The server did not take it: `get` reads the file again.
  void forget();
  [[nodiscard]] bool is_file() const noexcept { return !file_.empty(); }

 private:
  std::filesystem::path file_;
  std::mutex mutex_;
  std::string token_;
  std::chrono::steady_clock::time_point read_at_{};
};

}  // namespace kube
