#include "http/openssl.h"

#include <openssl/err.h>

namespace http {

std::string take_openssl_error() {
  const unsigned long first = ERR_peek_error();
  const char* const reason = ERR_reason_error_string(first);
  ERR_clear_error();
  if (reason != nullptr) return reason;
  return first == 0 ? std::string() : "OpenSSL error " + std::to_string(first);
}

}  // namespace http
