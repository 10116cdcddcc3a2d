#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/temporary_directory.h"

namespace support {

/// How a program ended, and what it printed.
struct Finished {
  int status = 0;  ///< exit status; 128+n after signal n
  std::string out;
  std::string err;
};

/// A child process with its output in files, killed with this object if it still runs.
class Process {
 public:
  /// Starts `arguments[0]`, a path. Throws if that fails.
  explicit Process(const std::vector<std::string>& arguments, const std::string& input = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t id() const noexcept { return pid_; }
  void signal(int number) const;

  /// Waits for its end; throws if it does not come within `limit`.
  Finished wait(std::chrono::seconds limit = std::chrono::seconds(30));
  [[nodiscard]] bool running();

  /// What it has printed so far.
  [[nodiscard]] std::string out() const;
  [[nodiscard]] std::string err() const;

  /// Waits until standard error has `text`; throws if it ends or 20 s pass before.
  void wait_for_err(const std::string& text);

 private:
  TemporaryDirectory scratch_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

/// Runs the program under test (PROGRAM) with `arguments` to its end.
[[nodiscard]] Finished run_program(std::vector<std::string> arguments,
                                   const std::string& input = {});

}  // namespace support
