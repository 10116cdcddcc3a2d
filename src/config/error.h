#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/error.h"

namespace config {

/// One thing that is wrong in a configuration file.
struct Error {
  std::string file;
  std::optional<yaml::Mark> mark;  ///< nothing if the file as a whole is meant
  std::string message;             ///< what is wrong and what to write instead
};

/// `FILE:LINE:COLUMN: message`, or `FILE: message`.
[[nodiscard]] std::string to_string(const Error& error);

/// Gathers what is wrong in one file, so that all of it is told at once.
class ErrorList {
 public:
  explicit ErrorList(std::string_view file) : file_(file) {}

  void add(const yaml::Mark& mark, std::string message);
  [[nodiscard]] bool empty() const noexcept { return errors_.empty(); }

  /// The errors in the order of their places.
  [[nodiscard]] std::vector<Error> take() &&;

 private:
  std::string file_;
  std::vector<Error> errors_;
};

}  // namespace config
