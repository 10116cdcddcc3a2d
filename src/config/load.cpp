#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "config/config.h"

namespace config {
namespace {

/// A descriptor that closes itself.
class File {
 public:
  explicit File(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&&) = delete;
  File& operator=(File&&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

std::string reason(int error) {
  return "cannot be read: " + std::generic_category().message(error);
}

/// The bytes of the file at `path`, or why there are none.
std::expected<std::string, std::string> read_file(const std::string& path) {
  const File file(path);
  if (file.descriptor() < 0) return std::unexpected(reason(errno));
  std::string text;
  std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t count = ::read(file.descriptor(), buffer.data(), buffer.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(reason(errno));
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > kMaxFileSize) {
      return std::unexpected("is larger than 4 MiB: this is no configuration file");
    }
  }
}

}  // namespace

std::expected<admission::Settings, std::vector<Error>> load(const std::string& path) {
  std::expected<std::string, std::string> text = read_file(path);
  if (text) return parse(*text, path);
  return std::unexpected(std::vector{Error{path, std::nullopt, std::move(text).error()}});
}

}  // namespace config
