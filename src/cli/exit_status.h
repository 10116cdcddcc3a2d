#pragma once

namespace cli {

/// Exit statuses of the program (DESIGN section 8); where several apply, `unreadable` beats
/// `denied`.
enum ExitStatus : int {
  ok = 0,         ///< nothing denied
  denied = 1,     ///< something denied
  usage = 2,      ///< flags or arguments
  unreadable = 3  ///< an input that cannot be read
};

}  // namespace cli
