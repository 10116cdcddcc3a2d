#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "kube/api.h"
#include "kube/credentials.h"

namespace kube {

/// How a client behaves.
struct ClientOptions {
  double per_second = 100;                    ///< calls in the long run; streams do not count
  int burst = 200;                            ///< calls at once
  std::chrono::milliseconds timeout{10'000};  ///< of connecting, and of waiting for an answer
  /// How long a stream may be silent; the API server sends bookmarks about once a minute.
  std::chrono::milliseconds stream_timeout{90'000};
  std::string user_agent = "tfjob-webhook";
};

/// The API server over HTTP/1.1 and TLS, by cpp-httplib's client. Connections are kept and used
/// again, as many as there are calls at once. A call whose connection the server had ended is made
/// once more where that can do no harm (GET). A token file is read again each minute, and after an
/// answer of 401. Safe for use from many threads.
class Client : public Api {
 public:
  /// The error says what is wrong with certificate, key or authorities.
  [[nodiscard]] static std::expected<std::unique_ptr<Client>, std::string> make(
      Credentials credentials, ClientOptions options);
  ~Client() override;

  [[nodiscard]] std::expected<std::string, Error> send(const Request& request) override;
  [[nodiscard]] std::expected<void, Error> stream(
      const std::string& path, const std::function<bool(std::string_view)>& on_line,
      const std::stop_token& stop) override;

 private:
  struct Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kube
