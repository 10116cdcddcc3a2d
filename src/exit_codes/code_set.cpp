#include "exit_codes/code_set.h"

#include <stdexcept>
#include <string>

namespace exit_codes {

void CodeSet::insert(int code) {
  if (code < kMinCode || code > kMaxCode) {
    throw std::out_of_range("exit code " + std::to_string(code) + " is not from 1 to 255");
  }
  bits_.set(static_cast<std::size_t>(code));
}

std::vector<int> CodeSet::values() const {
  std::vector<int> codes;
  codes.reserve(size());
  for (int code = kMinCode; code <= kMaxCode; ++code) {
    if (contains(code)) codes.push_back(code);
  }
  return codes;
}

}  // namespace exit_codes
