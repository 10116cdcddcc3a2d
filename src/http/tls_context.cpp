#include "http/tls_context.h"

#include <array>
#include <string_view>

#include <openssl/err.h>

namespace http {
namespace {

constexpr const char* kTls12Ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* kTls13Ciphers =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

// In the form of RFC 7301: each name behind its length.
constexpr std::array<unsigned char, 9> kProtocols{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

int select_protocol(SSL* /*ssl*/, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned int offered_size, void* /*argument*/) {
  unsigned char* selected = nullptr;
  const int found = SSL_select_next_proto(&selected, out_size, kProtocols.data(), kProtocols.size(),
                                          offered, offered_size);
  if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *out = selected;
  return SSL_TLSEXT_ERR_OK;
}

bool set_protocol(SSL_CTX* context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Buffers are given back between requests: idle connections are many.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context, 1);
  // Two records at a time: half as many system calls for large requests.
  SSL_CTX_set_default_read_buffer_len(context, std::size_t{33} * 1024);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, select_protocol, nullptr);
  return SSL_CTX_set_num_tickets(context, 0) == 1 &&
         SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
         SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1 &&
         SSL_CTX_set_cipher_list(context, kTls12Ciphers) == 1 &&
         SSL_CTX_set_ciphersuites(context, kTls13Ciphers) == 1;
}

bool set_certificate(SSL_CTX* context, const Certificate& certificate) {
  if (SSL_CTX_use_certificate(context, certificate.leaf()) != 1 ||
      SSL_CTX_use_PrivateKey(context, certificate.key()) != 1) {
    return false;
  }
  for (X509* const issuer : certificate.issuers()) {
    if (SSL_CTX_add1_chain_cert(context, issuer) != 1) return false;
  }
  return true;
}

bool set_client_authorities(SSL_CTX* context, const CertificateList& authorities) {
  if (authorities.empty()) return true;
  for (const auto& authority : authorities) {
    // The list that clients choose their certificate by, and what it is verified with.
    if (SSL_CTX_add_client_CA(context, authority.get()) != 1 ||
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get()) != 1) {
      return false;
    }
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return true;
}

}  // namespace

std::expected<std::shared_ptr<SSL_CTX>, std::string> make_tls_context(
    const Certificate& certificate, const CertificateList& client_authorities) {
  ERR_clear_error();
  OpensslPtr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()));
  if (!context || !set_protocol(context.get()) || !set_certificate(context.get(), certificate)) {
    return std::unexpected("OpenSSL does not take the certificate: " + take_openssl_error());
  }
  if (!set_client_authorities(context.get(), client_authorities)) {
    return std::unexpected("OpenSSL does not take the clients' authorities: " +
                           take_openssl_error());
  }
  return std::shared_ptr<SSL_CTX>(std::move(context));
}

}  // namespace http
