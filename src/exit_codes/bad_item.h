#pragma once

#include <string>
#include <string_view>

namespace exit_codes {

/// What is wrong with `item`, which is no item of a code list, and what to write instead. One
/// sentence, short however long the item is.
[[nodiscard]] std::string explain_bad_item(std::string_view item);

}  // namespace exit_codes
