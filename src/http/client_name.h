#pragma once

#include <span>
#include <string>

#include "http/openssl.h"

namespace http {

/// Why the client of a TLS session, whose certificate was verified in the handshake, is not one of
/// `allowed`: none of its names (the common name, DNS names) is. A sentence; empty if one is.
[[nodiscard]] std::string why_refused(const SSL& session, std::span<const std::string> allowed);

}  // namespace http
