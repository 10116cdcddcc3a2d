#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/http_client.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_certificate.h"

namespace support {

/// `tfjob-webhook serve` as a process of its own, on free ports of 127.0.0.1, with a certificate of
/// a test authority.
class WebhookProcess {
 public:
  /// Serves once this returns. `configuration` is the text of the file; empty: none.
  explicit WebhookProcess(
      const std::string& configuration = {}, const std::vector<std::string>& flags = {},
      std::chrono::system_clock::time_point not_after = CertificateSpec{}.not_after);

  /// Ends it, if it still runs, and the test program with it if it does not end with 0: a sanitizer
  /// has reported something then.
  ~WebhookProcess();
  WebhookProcess(const WebhookProcess&) = delete;
  WebhookProcess& operator=(const WebhookProcess&) = delete;

  /// Replaces the pair in its folder by one of a new authority, which `connect` trusts from then
  /// on.
  void rotate();
  /// Writes a file of the folder where the pair (tls.crt, tls.key) and config.yaml are.
  void write(const std::string& name, const std::string& content) const;

  /// A TLS connection that trusts the test authority.
  [[nodiscard]] HttpClient connect() const;
  /// A connection to the plain port.
  [[nodiscard]] HttpClient connect_plain() const { return HttpClient(operations_port_); }
  /// One POST of JSON over a connection of its own.
  [[nodiscard]] Reply post(const std::string& path, const std::string& body) const;
  /// One GET on the plain port.
  [[nodiscard]] Reply get(const std::string& path) const;

  [[nodiscard]] std::uint16_t reviews_port() const noexcept { return reviews_port_; }
  [[nodiscard]] Process& process() noexcept { return *process_; }
  [[nodiscard]] const std::string& ca() const noexcept { return ca_; }

 private:
  void write_pair(std::chrono::system_clock::time_point not_after);

  TemporaryDirectory folder_;
  std::string ca_;
  std::unique_ptr<Process> process_;
  std::uint16_t reviews_port_ = 0;
  std::uint16_t operations_port_ = 0;
};

}  // namespace support
