#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace support {

/// What a certificate is to say.
struct CertificateSpec {
  std::string common_name = "webhook";
  std::string names = "DNS:localhost,IP:127.0.0.1,IP:::1";  ///< subjectAltName; empty for none
  std::string extended_key_usage = "serverAuth";            ///< empty for none
  std::chrono::system_clock::time_point not_before =
      std::chrono::system_clock::now() - std::chrono::hours(1);
  std::chrono::system_clock::time_point not_after =
      std::chrono::system_clock::now() + std::chrono::hours(24);
  bool authority = false;  ///< may issue others
};

namespace detail {

struct Free {
  void operator()(X509* p) const noexcept { X509_free(p); }
  void operator()(EVP_PKEY* p) const noexcept { EVP_PKEY_free(p); }
  void operator()(BIO* p) const noexcept { BIO_free(p); }
};

inline void require(bool fine) {
  if (!fine) throw std::runtime_error("OpenSSL does not make the certificate of a test");
}

template <typename Write>
std::string to_pem(Write write) {
  const std::unique_ptr<BIO, Free> bio(BIO_new(BIO_s_mem()));
  require(write(bio.get()) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

inline void add_extension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
  require(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

}  // namespace detail

/// A certificate and its P-256 key, self-signed or issued by another pair. For tests only.
class TestPair {
 public:
  explicit TestPair(const CertificateSpec& spec, const TestPair* issuer = nullptr)
      : key_(EVP_EC_gen("P-256")), certificate_(X509_new()) {
    static long serial = 1;
    X509* const made = certificate_.get();
    X509* const by = issuer != nullptr ? issuer->certificate_.get() : made;
    detail::require(key_ && made != nullptr && X509_set_version(made, X509_VERSION_3) == 1);
    ASN1_INTEGER_set(X509_get_serialNumber(made), ++serial);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_UTF8,
                               // OpenSSL's text is unsigned char.
                               reinterpret_cast<const unsigned char*>(spec.common_name.c_str()), -1,
                               -1, 0);
    X509_set_issuer_name(made, X509_get_subject_name(by));
    ASN1_TIME_set(X509_getm_notBefore(made), std::chrono::system_clock::to_time_t(spec.not_before));
    ASN1_TIME_set(X509_getm_notAfter(made), std::chrono::system_clock::to_time_t(spec.not_after));
    X509_set_pubkey(made, key_.get());
    detail::add_extension(made, by, NID_basic_constraints,
                          spec.authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    if (!spec.names.empty()) detail::add_extension(made, by, NID_subject_alt_name, spec.names);
    if (!spec.extended_key_usage.empty()) {
      detail::add_extension(made, by, NID_ext_key_usage, spec.extended_key_usage);
    }
    EVP_PKEY* const signer = issuer != nullptr ? issuer->key_.get() : key_.get();
    detail::require(X509_sign(made, signer, EVP_sha256()) > 0);
  }

  /// An authority of its own.
  [[nodiscard]] static TestPair authority(std::string common_name = "test authority") {
    CertificateSpec spec;
    spec.common_name = std::move(common_name);
    spec.names.clear();
    spec.extended_key_usage.clear();
    spec.authority = true;
    return TestPair(spec);
  }

  [[nodiscard]] TestPair issue(const CertificateSpec& spec) const { return TestPair(spec, this); }

  [[nodiscard]] std::string certificate_pem() const {
    return detail::to_pem([this](BIO* bio) { return PEM_write_bio_X509(bio, certificate_.get()); });
  }

  /// Encrypted if a passphrase is given.
  [[nodiscard]] std::string key_pem(std::string passphrase = {}) const {
    return detail::to_pem([this, &passphrase](BIO* bio) {
      const EVP_CIPHER* const cipher = passphrase.empty() ? nullptr : EVP_aes_128_cbc();
      return PEM_write_bio_PKCS8PrivateKey(bio, key_.get(), cipher, passphrase.data(),
                                           static_cast<int>(passphrase.size()), nullptr, nullptr);
    });
  }

  /// Writes tls.crt (this certificate, then `further` PEM) and tls.key into `directory`.
  void write_to(const std::filesystem::path& directory, const std::string& further = {}) const {
    std::ofstream(directory / "tls.crt", std::ios::trunc) << certificate_pem() << further;
    std::ofstream(directory / "tls.key", std::ios::trunc) << key_pem();
  }

 private:
  std::unique_ptr<EVP_PKEY, detail::Free> key_;
  std::unique_ptr<X509, detail::Free> certificate_;
};

}  // namespace support
