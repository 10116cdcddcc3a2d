#pragma once

#include <string>
#include <string_view>

namespace admission {

/// Appends `text` in base64 (RFC 4648, 4), filled up with '=' where its size asks for it: nothing
/// can follow it then.
void append_base64(std::string& out, std::string_view text);

/// The same for a piece of JSON text that others may follow: it is filled up with a blank or two
/// behind its end, where JSON allows them.
void append_base64_piece(std::string& out, std::string text);

}  // namespace admission
