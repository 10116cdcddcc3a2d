#include "cli/input.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iostream>

namespace cli {
namespace {

constexpr std::size_t kMaxInput = std::size_t{64} * 1024 * 1024;

}  // namespace

std::expected<std::string, std::string> read_input(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const auto failed = [&] { return std::unexpected(name + ": " + std::strerror(errno)); };

  std::ifstream opened;
  if (!standard) {
    opened.open(path, std::ios::binary);
    if (!opened) return failed();
  }
  std::istream& stream = standard ? std::cin : opened;

  std::string text;
  std::array<char, 65536> buffer{};
  while (stream) {
    stream.read(buffer.data(), buffer.size());
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMaxInput) return std::unexpected(name + ": is larger than 64 MiB");
  }
  if (stream.bad()) return failed();
  return text;
}

}  // namespace cli
