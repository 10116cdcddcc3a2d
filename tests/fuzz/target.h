#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

// What libFuzzer calls; tests/fuzz/replay.cpp calls it for kept files.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the program where something that must hold does not, so that the input is kept.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace fuzz
