#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace exit_codes {

/// A name that stands for an exit code in code lists.
struct CodeName {
  std::string_view name;
  int code;  ///< 1 to 255
};

/// The signals of Linux x86-64 (signal(7)) as 128+n, real-time ones left out; aliases behind the
/// name that is preferred for printing.
[[nodiscard]] std::span<const CodeName> signal_names() noexcept;

/// The codes of sysexits.h (64 to 78), EX_OK left out.
[[nodiscard]] std::span<const CodeName> sysexits_names() noexcept;

/// The code that `name` stands for, or nullopt.
[[nodiscard]] std::optional<int> code_of_name(std::string_view name) noexcept;

/// The name of the signal that exit code `code` tells of ("SIGSEGV" for 139), or an empty view.
[[nodiscard]] std::string_view signal_of_code(std::int64_t code) noexcept;

/// What `code` commonly means, in a few words ("SIGSEGV, signal 11", "command not found"); empty
/// where there is no convention.
[[nodiscard]] std::string describe_code(std::int64_t code);

}  // namespace exit_codes
