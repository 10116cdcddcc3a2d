#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace webhook {

/// Files that belong together, and what to do when their bytes change.
struct WatchedFiles {
  std::vector<std::filesystem::path> paths;
  std::function<void()> on_change;
};

/// Looks at the bytes of files at an interval, in a thread of its own. A mounted Secret or
/// ConfigMap swaps a symbolic link, so neither events on a file nor its time of change would do.
class Reloader {
 public:
  /// Calls `on_change` for each group whose bytes differ from those at the last look, the first
  /// being taken here. It is called again only after another change, so that a bad file is told
  /// once. A file that cannot be read counts as one without bytes.
  Reloader(std::vector<WatchedFiles> files, std::chrono::milliseconds interval);
  /// Waits for a call that runs.
  ~Reloader() = default;
  Reloader(const Reloader&) = delete;
  Reloader& operator=(const Reloader&) = delete;

 private:
  struct Watch {
    WatchedFiles files;
    std::string seen;
  };

  void run(const std::stop_token& stop);

  std::vector<Watch> watches_;
  std::chrono::milliseconds interval_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace webhook
