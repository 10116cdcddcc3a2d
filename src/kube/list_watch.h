#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "kube/api.h"

namespace kube {

/// What a watcher learns, all in one thread. Objects are whole, as the server sent them.
struct WatchHandler {
  /// A list begins: what it does not name is gone at its end.
  std::function<void()> list_begins;
  /// An object of the list.
  std::function<void(const nlohmann::json& object)> listed;
  /// The list is complete.
  std::function<void()> list_ends;
  /// An object is new or has changed.
  std::function<void(const nlohmann::json& object)> changed;
  /// An object is gone; its last state.
  std::function<void(const nlohmann::json& object)> deleted;
  /// A list or a watch failed, and is tried again after `wait`.
  std::function<void(const Error& error, std::chrono::milliseconds wait)> failed;
};

/// What to watch, and how.
struct WatchOptions {
  std::string path;  ///< of the collection
  std::string label_selector;
  std::size_t page = 250;  ///< objects of a list in one answer
  /// How long the server lets a watch run at most; each run is up to twice as long at random.
  std::chrono::seconds watch_time{300};
  std::chrono::milliseconds first_wait{200};  ///< before trying again; doubles up to `last_wait`
  std::chrono::milliseconds last_wait{30'000};
};

/// Lists a collection page by page and then watches it, until a stop is asked for. A watch goes on
/// where the one before ended, bookmarks included; where the server no longer knows that place
/// (410), and only there, the collection is listed anew. Failures are tried again after a time that
/// doubles, with jitter; a watch that ends at once without having brought anything counts as one.
/// Source: client-go's Reflector.
void list_and_watch(Api& api, const WatchOptions& options, const WatchHandler& handler,
                    const std::stop_token& stop);

}  // namespace kube
