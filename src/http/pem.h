#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "http/openssl.h"

namespace http {

using CertificateList = std::vector<OpensslPtr<X509>>;

/// All of a file that should hold PEM, 4 MiB at most; the error is a sentence that names it.
[[nodiscard]] std::expected<std::string, std::string> read_pem_file(
    const std::filesystem::path& path);

/// OpenSSL's reader of `content`, which must outlive it.
[[nodiscard]] OpensslPtr<BIO> memory_bio(const std::string& content);

/// The certificates in `content`, one at least; `path` is for the error, a sentence that names it
/// and the mend.
[[nodiscard]] std::expected<CertificateList, std::string> read_certificates(
    const std::filesystem::path& path, const std::string& content);

}  // namespace http
