#include "exit_codes/table.h"

namespace exit_codes {

Verdict Table::verdict_of(std::int64_t code) const noexcept {
  if (permanent.contains(code)) return Verdict::permanent;
  if (retryable.contains(code)) return Verdict::retryable;
  return Verdict::undefined;
}

void apply(const Overrides& overrides, Table& table) {
  table.retryable |= overrides.retryable;
  table.permanent -= overrides.retryable;
  table.permanent |= overrides.permanent;
  table.retryable -= overrides.permanent;
  if (overrides.max_retries) table.max_retries = overrides.max_retries;
}

}  // namespace exit_codes
