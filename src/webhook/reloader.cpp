#include "webhook/reloader.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace webhook {
namespace {

/// All bytes of the files, with their lengths between them.
std::string bytes_of(const std::vector<std::filesystem::path>& paths) {
  std::string bytes;
  for (const std::filesystem::path& path : paths) {
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    bytes += std::to_string(content.view().size());
    bytes += ':';
    bytes += content.view();
  }
  return bytes;
}

}  // namespace

Reloader::Reloader(std::vector<WatchedFiles> files, std::chrono::milliseconds interval)
    : interval_(interval) {
  for (WatchedFiles& group : files) {
    std::string seen = bytes_of(group.paths);
    watches_.push_back({std::move(group), std::move(seen)});
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Reloader::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, interval_, [] { return false; }) && !stop.stop_requested()) {
    for (Watch& watch : watches_) {
      // Taken before they are loaded: what changes in between is seen at the next look.
      std::string bytes = bytes_of(watch.files.paths);
      if (bytes == watch.seen) continue;
      watch.seen = std::move(bytes);
      watch.files.on_change();
    }
  }
}

}  // namespace webhook
