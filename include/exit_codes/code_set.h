#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace exit_codes {

inline constexpr int kMinCode = 1;    ///< the lowest code that a table can list (0 is success)
inline constexpr int kMaxCode = 255;  ///< the highest exit status that a POSIX process can have

/// A set of exit codes from 1 to 255. A value; not synchronised.
class CodeSet {
 public:
  CodeSet() = default;
  CodeSet(std::initializer_list<int> codes) {
    for (const int code : codes) insert(code);
  }

  /// All codes from `first` to `last`, both included.
  [[nodiscard]] static CodeSet range(int first, int last) {
    CodeSet set;
    for (int code = first; code <= last; ++code) set.insert(code);
    return set;
  }

  /// False for every number outside 1 to 255.
  [[nodiscard]] bool contains(std::int64_t code) const noexcept {
    return code >= kMinCode && code <= kMaxCode && bits_[static_cast<std::size_t>(code)];
  }

  /// Adds `code`; throws std::out_of_range unless it is 1 to 255.
  void insert(int code);

  [[nodiscard]] bool empty() const noexcept { return bits_.none(); }
  [[nodiscard]] std::size_t size() const noexcept { return bits_.count(); }

  /// The codes in ascending order.
  [[nodiscard]] std::vector<int> values() const;

  CodeSet& operator|=(const CodeSet& other) noexcept {
    bits_ |= other.bits_;
    return *this;
  }
  /// Takes the codes of `other` out.
  CodeSet& operator-=(const CodeSet& other) noexcept {
    bits_ &= ~other.bits_;
    return *this;
  }
  [[nodiscard]] friend CodeSet operator&(CodeSet left, const CodeSet& right) noexcept {
    left.bits_ &= right.bits_;
    return left;
  }
  [[nodiscard]] friend CodeSet operator-(CodeSet left, const CodeSet& right) noexcept {
    left -= right;
    return left;
  }
  [[nodiscard]] bool operator==(const CodeSet& other) const noexcept = default;

 private:
  std::bitset<kMaxCode + 1> bits_;
};

}  // namespace exit_codes
