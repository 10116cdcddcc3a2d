#include "sources/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sources {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kEndings{".yaml", ".yml", ".json"};
constexpr std::string_view kAnyFolders = "**";

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

/// Says what `error` means; the texts of strerror have no "or folder" and no mend.
std::string describe(int error) {
  if (error == ENOENT) return "there is no such file or folder";
  if (error == EACCES) return "permission denied: it cannot be read";
  if (error == ELOOP) return "is a loop of symbolic links";
  return std::strerror(error);
}

class Finder {
 public:
  void add(const std::string& argument) {
    if (argument == "-") return add_file("-");
    struct stat status{};
    if (::stat(argument.c_str(), &status) == 0) {
      if (!S_ISDIR(status.st_mode)) return add_file(argument);
      const std::size_t before = files_.paths.size() + files_.errors.size() + repeated_;
      walk(argument);
      if (files_.paths.size() + files_.errors.size() + repeated_ == before) {
        fail(argument, "has no file that ends in .yaml, .yml or .json");
      }
      return;
    }
    const int error = errno;
    // A file whose name has a bracket in it is told as missing only if it is no pattern either.
    if (error != ENOENT || !is_pattern(argument)) return fail(argument, describe(error));
    std::vector<std::string> parts;
    const fs::path pattern(argument);
    for (const fs::path& part : pattern.relative_path()) parts.push_back(part.native());
    matched_ = false;
    expand(pattern.root_path(), parts);
    if (!matched_) fail(argument, "no file matches this pattern");
  }

  Files take() && { return std::move(files_); }

 private:
  void add_file(const std::string& path) {
    matched_ = true;
    if (seen_.insert(path).second) {
      files_.paths.push_back(path);
    } else {
      ++repeated_;
    }
  }

  void fail(const std::string& path, std::string message) {
    matched_ = true;
    files_.errors.push_back({path, std::move(message)});
  }

  /// The names in `folder`, sorted; tells if it cannot be read.
  std::vector<fs::path> names(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> found;
    fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      found.push_back(entry->path().filename());
    }
    if (error) fail(folder.string(), describe(error.value()));
    std::ranges::sort(found);
    return found;
  }

  /// Adds the manifests below `folder`.
  void walk(const fs::path& folder) {
    struct stat status{};
    if (::stat(folder.c_str(), &status) != 0) return fail(folder.string(), describe(errno));
    const Identity identity{status.st_dev, status.st_ino};
    if (std::ranges::find(around_, identity) != around_.end()) {
      return fail(folder.string(), "is a symbolic link that leads back to a folder it is in");
    }
    if (!entered_.insert(identity).second) {
      ++repeated_;
      return;
    }
    around_.push_back(identity);
    for (const fs::path& name : names(folder)) {
      if (!is_hidden(name)) look_at(folder / name);
    }
    around_.pop_back();
  }

  void look_at(const fs::path& path) {
    const bool manifest = std::ranges::find(kEndings, path.extension().native()) != kEndings.end();
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) {
      const int error = errno;
      struct stat link{};
      const bool dangling = error == ENOENT && ::lstat(path.c_str(), &link) == 0;
      if (manifest) {
        fail(path.string(), dangling ? "is a symbolic link that leads nowhere" : describe(error));
      }
      return;
    }
    if (S_ISDIR(status.st_mode)) return walk(path);
    if (!manifest) return;
    // A pipe without a writer would be waited for without end.
    if (!S_ISREG(status.st_mode)) return fail(path.string(), "is no regular file");
    add_file(path.string());
  }

  /// Adds what matches `parts` below `folder`, which need not be there.
  void expand(const fs::path& folder, std::span<const std::string> parts) {
    if (parts.empty()) {
      struct stat status{};
      if (::stat(folder.c_str(), &status) != 0) return;
      if (S_ISDIR(status.st_mode)) return walk(folder);
      return add_file(folder.string());
    }
    const std::string& part = parts.front();
    const auto rest = parts.subspan(1);
    if (!is_pattern(part)) return expand(folder / part, rest);
    if (part == kAnyFolders) expand(folder, rest.empty() ? kAllFiles : rest);
    std::error_code ignored;
    if (!fs::is_directory(folder.empty() ? fs::path(".") : folder, ignored)) return;
    for (const fs::path& name : names(folder)) {
      const bool wanted = part == kAnyFolders
                              ? !is_hidden(name) && fs::is_directory(folder / name, ignored) &&
                                    !fs::is_symlink(folder / name, ignored)
                              : ::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0;
      if (!wanted) continue;
      expand(folder / name, part == kAnyFolders ? parts : rest);
    }
  }

  using Identity = std::pair<dev_t, ino_t>;
  inline static const std::vector<std::string> kAllFiles{"*"};

  Files files_;
  std::set<std::string> seen_;
  std::set<Identity> entered_;
  std::vector<Identity> around_;  ///< the folders around the one that is walked
  std::size_t repeated_ = 0;      ///< what was found again
  bool matched_ = false;
};

/// Closes a file descriptor that is not standard input.
struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number > STDIN_FILENO) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
};

}  // namespace

Files find_files(std::span<const std::string> arguments) {
  Finder finder;
  for (const std::string& argument : arguments) finder.add(argument);
  return std::move(finder).take();
}

std::expected<std::string, std::string> read_file(const std::string& path) {
  const Descriptor file(path == "-" ? STDIN_FILENO
                                    : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.number < 0) return std::unexpected(describe(errno));
  // One byte more than its size, so that its end is seen at once.
  struct stat status{};
  std::size_t room = std::size_t{64} * 1024;
  if (::fstat(file.number, &status) == 0 && S_ISREG(status.st_mode)) {
    room = std::min(static_cast<std::size_t>(status.st_size), kMaxFileSize) + 1;
  }
  std::string text(room, '\0');
  for (std::size_t used = 0;;) {
    const ssize_t count = ::read(file.number, text.data() + used, text.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(describe(errno));
    used += static_cast<std::size_t>(count);
    if (count == 0) {
      text.resize(used);
      return text;
    }
    if (used > kMaxFileSize) break;
    if (used == text.size()) text.resize(std::min(2 * used, kMaxFileSize + 1));
  }
  return std::unexpected("is larger than " + std::to_string(kMaxFileSize >> 20U) + " MiB");
}

}  // namespace sources
