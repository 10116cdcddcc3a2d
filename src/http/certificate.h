#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "http/openssl.h"

namespace http {

/// The names of a pair's files in its directory, as Secrets of type kubernetes.io/tls have them.
inline constexpr const char* kCertificateFile = "tls.crt";
inline constexpr const char* kKeyFile = "tls.key";

/// A serving certificate with its key and chain, checked as a whole. Immutable.
class Certificate {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// Reads both files of `directory` and checks that they are PEM, that the key belongs to the
  /// first certificate and has no passphrase, that each further certificate issued the one before
  /// it, that the first has a subjectAltName and may serve TLS, and that all are valid at `now`.
  /// The error is a sentence that names the file and the mend.
  [[nodiscard]] static std::expected<Certificate, std::string> load(
      const std::filesystem::path& directory, Time now);

  /// The first moment at which some certificate of the chain is valid no more.
  [[nodiscard]] Time not_after() const noexcept { return not_after_; }

  [[nodiscard]] X509* leaf() const noexcept { return chain_.front().get(); }
  /// The issuers behind the leaf, in order.
  [[nodiscard]] std::vector<X509*> issuers() const;
  [[nodiscard]] EVP_PKEY* key() const noexcept { return key_.get(); }

 private:
  Certificate() = default;

  std::vector<OpensslPtr<X509>> chain_;  // never empty
  OpensslPtr<EVP_PKEY> key_;
  Time not_after_;
};

}  // namespace http
