#pragma once

#include <memory>

#include <openssl/bio.h>
#include <openssl/ssl.h>

namespace bench {

struct Free {
  void operator()(BIO* p) const noexcept { BIO_free_all(p); }
  void operator()(SSL* p) const noexcept { SSL_free(p); }
  void operator()(SSL_CTX* p) const noexcept { SSL_CTX_free(p); }
};

/// A TLS client that trusts everybody. Throws std::runtime_error where OpenSSL has no memory.
[[nodiscard]] std::unique_ptr<SSL_CTX, Free> client_context();

/// A socket that does not block, on its way to `port` of 127.0.0.1. Throws std::runtime_error where
/// there is none left to be had.
[[nodiscard]] int open_socket(int port);

}  // namespace bench
