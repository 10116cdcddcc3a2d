#pragma once

#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace cli {

/// What may stand at a place of the command line.
struct Completions {
  struct Word {
    std::string text;
    std::string description;  ///< one line; may be empty
  };
  std::vector<Word> words;
  bool files = false;  ///< file names too
};

/// What the last of `words` may become: those before it are complete, the program's own name is not
/// among them. `words` must not be empty; its last one may be the empty string.
[[nodiscard]] Completions complete(const CLI::App& app, std::span<const std::string> words);

/// `completions` as the shell scripts of `completion` and kubectl read them (the protocol of
/// Cobra's
/// `__complete`): a line for each word, its description behind a tab, and last ":0" where file
/// names fit too, else ":4".
[[nodiscard]] std::string to_text(const Completions& completions);

}  // namespace cli
