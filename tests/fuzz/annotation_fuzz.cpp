// The table annotation: what decodes encodes to bytes that decode to the same, and encode so again.

#include <string>
#include <variant>

#include "exit_codes/annotation.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto decoded = exit_codes::decode(fuzz::text(data, size));
  const auto* const table = std::get_if<exit_codes::Table>(&decoded);
  if (table == nullptr) {
    fuzz::require(!std::get<exit_codes::DecodeError>(decoded).message.empty());
    return 0;
  }
  for (int code = 1; code <= 255; ++code) {
    fuzz::require(!(table->permanent.contains(code) && table->retryable.contains(code)));
  }
  const std::string canonical = exit_codes::encode(*table);
  const auto again = exit_codes::decode(canonical);
  fuzz::require(std::get<exit_codes::Table>(again) == *table);
  fuzz::require(exit_codes::encode(std::get<exit_codes::Table>(again)) == canonical);
  return 0;
}
