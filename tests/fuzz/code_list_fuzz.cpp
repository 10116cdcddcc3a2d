// A user's list of exit codes, and max-retries: what is read can be written as plain codes and read
// again.

#include <string>
#include <variant>
#include <vector>

#include "exit_codes/code_list.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  const auto list = exit_codes::parse_code_list(text);
  if (const auto* const errors = std::get_if<std::vector<exit_codes::ParseError>>(&list)) {
    fuzz::require(!errors->empty() && errors->size() <= exit_codes::kMaxListErrors);
    for (const auto& error : *errors) fuzz::require(!error.message.empty());
  } else {
    const auto& codes = std::get<exit_codes::CodeSet>(list);
    fuzz::require(!codes.empty());
    std::string plain;
    for (const int code : codes.values()) {
      fuzz::require(code >= 1 && code <= 255);
      if (!plain.empty()) plain += ", ";
      plain += std::to_string(code);
    }
    fuzz::require(std::get<exit_codes::CodeSet>(exit_codes::parse_code_list(plain)) == codes);
  }
  const auto retries = exit_codes::parse_max_retries(text);
  if (const auto* const number = std::get_if<int>(&retries)) {
    fuzz::require(std::to_string(*number) == text);
  }
  return 0;
}
