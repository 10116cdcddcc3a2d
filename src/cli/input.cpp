#include "cli/input.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

namespace cli {
namespace {

constexpr std::size_t kMaxInput = std::size_t{64} * 1024 * 1024;

}  // namespace

std::expected<std::string, std::string> read_input(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const auto failed = [&] { return std::unexpected(name + ": " + std::strerror(errno)); };

  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  const File opened(standard ? nullptr : std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!standard && !opened) return failed();
  std::FILE* const file = standard ? stdin : opened.get();

  std::string text;
  std::array<char, 65536> buffer{};
  // A short read is the end, or an error.
  std::size_t count = buffer.size();
  while (count == buffer.size()) {
    count = std::fread(buffer.data(), 1, buffer.size(), file);
    text.append(buffer.data(), count);
    if (text.size() > kMaxInput) return std::unexpected(name + ": is larger than 64 MiB");
  }
  if (std::ferror(file) != 0) return failed();
  return text;
}

}  // namespace cli
