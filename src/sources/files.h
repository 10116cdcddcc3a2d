#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

namespace sources {

/// An input that cannot be read.
struct FileError {
  std::string path;
  std::string message;  ///< without the path: "no such file or folder"
};

/// The files that a command line names, and what cannot be found of it.
struct Files {
  std::vector<std::string>
      paths;  ///< in the order of the arguments, each once; "-" is standard input
  std::vector<FileError> errors;
};

/// Finds the files that `arguments` name:
///
/// - `-` is standard input, and a file is itself, whatever its name;
/// - a folder stands for all files below it that end in .yaml, .yml or .json, in the order of their
///   names, symbolic links followed; not those that begin with a dot, nor what is in such folders.
///   Each folder is entered once; a link that leads back to a folder it is in is an error;
/// - what is neither and has `*`, `?` or `[` in it is a pattern as fnmatch(3) knows it, `**`
///   standing for any number of folders.
///
/// A folder without such files and a pattern that nothing matches are errors too.
[[nodiscard]] Files find_files(std::span<const std::string> arguments);

/// The largest file that is read.
inline constexpr std::size_t kMaxFileSize = std::size_t{64} << 20U;

/// The whole of a file, or of standard input for "-". An error says why it cannot be read.
[[nodiscard]] std::expected<std::string, std::string> read_file(const std::string& path);

}  // namespace sources
