#include "http/pem.h"

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <system_error>

#include <openssl/err.h>
#include <openssl/pem.h>

namespace http {
namespace {

// More than any Secret can hold; keeps a mistaken path from filling the memory.
constexpr std::size_t kMaxFileSize = std::size_t{4} * 1024 * 1024;

}  // namespace

std::expected<std::string, std::string> read_pem_file(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string content;
  if (file) {
    content.resize(kMaxFileSize);
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad() || content.empty()) {
    const std::string reason =
        errno != 0 ? std::generic_category().message(errno) : std::string("the file is empty");
    return std::unexpected("cannot read " + path.string() + ": " + reason);
  }
  return content;
}

OpensslPtr<BIO> memory_bio(const std::string& content) {
  return OpensslPtr<BIO>(BIO_new_mem_buf(content.data(), static_cast<int>(content.size())));
}

std::expected<CertificateList, std::string> read_certificates(const std::filesystem::path& path,
                                                              const std::string& content) {
  CertificateList certificates;
  ERR_clear_error();
  const OpensslPtr<BIO> bio = memory_bio(content);
  while (auto* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    certificates.emplace_back(certificate);
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string reason = take_openssl_error();
  if (!at_end) {
    return std::unexpected(path.string() + ": certificate " +
                           std::to_string(certificates.size() + 1) + " cannot be read (" + reason +
                           "); write it as PEM again");
  }
  if (certificates.empty()) {
    return std::unexpected(path.string() +
                           ": there is no certificate in it; write PEM that begins with "
                           "-----BEGIN CERTIFICATE-----");
  }
  return certificates;
}

}  // namespace http
