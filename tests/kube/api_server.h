#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <httplib.h>

#include "http/responder.h"
#include "kube/credentials.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_certificate.h"

namespace kube_test {

/// An HTTPS server of 127.0.0.1 that answers as it is told, and remembers what it was asked.
class ApiServer {
 public:
  using Handler = std::function<void(const httplib::Request&, httplib::Response&)>;

  explicit ApiServer(Handler handler, bool wants_certificate = false)
      : pair_(authority_.issue({})), handler_(std::move(handler)) {
    pair_.write_to(folder_.path());
    const std::string ca = folder_.write("ca.crt", authority_.certificate_pem());
    server_ = std::make_unique<httplib::SSLServer>((folder_.path() / "tls.crt").c_str(),
                                                   (folder_.path() / "tls.key").c_str(),
                                                   wants_certificate ? ca.c_str() : nullptr);
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
      }
      handler_(request, response);
    };
    server_->Get(".*", answer);
    server_->Post(".*", answer);
    server_->Patch(".*", answer);
    server_->Delete(".*", answer);
    port_ = server_->bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    while (!server_->is_running()) std::this_thread::yield();
  }
  ~ApiServer() {
    server_->stop();
    thread_.join();
  }
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  [[nodiscard]] kube::Credentials credentials() const {
    kube::Credentials credentials;
    credentials.host = "127.0.0.1";
    credentials.port = static_cast<std::uint16_t>(port_);
    credentials.ca = authority_.certificate_pem();
    return credentials;
  }
  [[nodiscard]] const support::TestPair& authority() const noexcept { return authority_; }
  [[nodiscard]] std::vector<httplib::Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  // Its making has cpp-httplib make its static values while there is one thread: see its source.
  http::Responder responder_;
  support::TemporaryDirectory folder_;
  support::TestPair authority_ = support::TestPair::authority();
  support::TestPair pair_;
  Handler handler_;
  std::unique_ptr<httplib::SSLServer> server_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<httplib::Request> requests_;
  std::thread thread_;
};

}  // namespace kube_test
