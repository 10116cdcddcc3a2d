#include "cli/input.h"

#include "sources/files.h"

namespace cli {

std::expected<std::string, std::string> read_input(const std::string& path) {
  auto text = sources::read_file(path);
  if (!text) return std::unexpected((path == "-" ? "standard input" : path) + ": " + text.error());
  return text;
}

}  // namespace cli
