#pragma once

#include <expected>
#include <memory>
#include <string>

#include "http/certificate.h"
#include "http/pem.h"

namespace http {

/// What connections that serve `certificate` share. TLS 1.2 and 1.3 with AEAD ciphers only; no
/// renegotiation, compression, tickets or session cache (a resumed session would outlive a changed
/// certificate); ALPN `http/1.1` for clients that offer it, and none for those that offer only
/// other protocols. The context is to be used as it is: another certificate needs another one.
/// Where there are `client_authorities`, only clients with a certificate that one of them issued,
/// for use by TLS clients, get through the handshake. The error is what OpenSSL says of the
/// certificate or its key (one too weak, for example).
[[nodiscard]] std::expected<std::shared_ptr<SSL_CTX>, std::string> make_tls_context(
    const Certificate& certificate, const CertificateList& client_authorities = {});

}  // namespace http
