#pragma once

#include <memory>
#include <string>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace http {

/// Frees what OpenSSL made.
struct OpensslDelete {
  void operator()(BIO* p) const noexcept { BIO_free(p); }
  void operator()(EVP_PKEY* p) const noexcept { EVP_PKEY_free(p); }
  void operator()(SSL* p) const noexcept { SSL_free(p); }
  void operator()(SSL_CTX* p) const noexcept { SSL_CTX_free(p); }
  void operator()(X509* p) const noexcept { X509_free(p); }
};

template <typename T>
using OpensslPtr = std::unique_ptr<T, OpensslDelete>;

/// What the calling thread's OpenSSL error queue says went wrong first; empties the queue. Empty
/// if there is nothing in it.
[[nodiscard]] std::string take_openssl_error();

}  // namespace http
