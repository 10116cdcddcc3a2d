#pragma once

#include <string_view>

namespace http {

/// The current time as the value of a Date field (RFC 9110, 5.6.7). Valid until the calling
/// thread's next call.
[[nodiscard]] std::string_view http_date();

}  // namespace http
