#include "kube/list_watch.h"

#include <algorithm>
#include <expected>
#include <optional>
#include <random>
#include <utility>

#include "kube/backoff.h"
#include "kube/json.h"
#include "kube/path.h"
#include "kube/wait.h"

namespace kube {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// A watch that lasts less than this and brings nothing is a failure: trying again at once would be
/// a hot loop.
constexpr std::chrono::seconds kShort{1};

Error unreadable(const char* what) {
  return {.status = 0,
          .reason = {},
          .message = std::string("the API server's ") + what + " cannot be read"};
}

std::string metadata_at(const json& object, const char* key) {
  const auto found = object.find("metadata");
  return found != object.end() && found->is_object() ? text_at(*found, key) : std::string();
}

class Watcher {
 public:
  Watcher(Api& api, const WatchOptions& options, const WatchHandler& handler,
          const std::stop_token& stop)
      : api_(api),
        options_(options),
        handler_(handler),
        stop_(stop),
        backoff_(options.first_wait, options.last_wait) {}

  void run() {
    while (!stop_.stop_requested()) {
      auto done = version_.empty() ? list() : watch();
      if (done || stop_.stop_requested()) continue;
      const Error& error = done.error();
      if (error.is_gone()) version_.clear();
      const std::chrono::milliseconds least = error.retry_after.value_or(std::chrono::seconds(0));
      const auto wait = std::max(backoff_.next(), least);
      handler_.failed(error, wait);
      wait_for(stop_, wait);
    }
  }

 private:
  std::expected<void, Error> list() {
    handler_.list_begins();
    std::string next;
    std::string version;
    do {
      const auto answer =
          api_.send({.path = with_query(options_.path, {{"labelSelector", options_.label_selector},
                                                        {"limit", std::to_string(options_.page)},
                                                        {"continue", next}})});
      if (!answer) return std::unexpected(answer.error());
      if (stop_.stop_requested()) return {};
      const json page = json::parse(*answer, nullptr, false);
      const auto items = page.is_object() ? page.find("items") : page.end();
      if (!page.is_object() || items == page.end() || !(items->is_array() || items->is_null())) {
        return std::unexpected(unreadable("list"));
      }
      for (const json& item : *items) handler_.listed(item);
      version = metadata_at(page, "resourceVersion");
      next = metadata_at(page, "continue");
    } while (!next.empty());
    if (version.empty()) return std::unexpected(unreadable("list"));
    version_ = std::move(version);
    backoff_.reset();
    handler_.list_ends();
    return {};
  }

  std::expected<void, Error> watch() {
    std::uniform_int_distribution<long> seconds(options_.watch_time.count(),
                                                options_.watch_time.count() * 2);
    const std::string path =
        with_query(options_.path, {{"labelSelector", options_.label_selector},
                                   {"watch", "true"},
                                   {"allowWatchBookmarks", "true"},
                                   {"resourceVersion", version_},
                                   {"timeoutSeconds", std::to_string(seconds(random_))}});
    std::optional<Error> told;
    bool any = false;
    const auto began = Clock::now();
    const auto done = api_.stream(
        path,
        [&](std::string_view line) {
          told = take(line);
          any = any || !told;
          if (any) backoff_.reset();
          return !told;
        },
        stop_);
    if (told) return std::unexpected(*told);
    if (!done) return done;
    if (!any && Clock::now() - began < kShort) {
      return std::unexpected(Error{.message = "the API server ended a watch at once"});
    }
    return {};
  }

  /// Takes one event; an error that it tells of, or that it is.
  std::optional<Error> take(std::string_view line) {
    const json event = json::parse(line, nullptr, false);
    const auto object = event.is_object() ? event.find("object") : event.end();
    if (!event.is_object() || object == event.end() || !object->is_object()) {
      return unreadable("watch event");
    }
    const std::string type = text_at(event, "type");
    if (type == "ERROR") {
      const auto code = object->find("code");
      const bool told = code != object->end() && code->is_number_integer();
      return error_of(told ? code->get<int>() : 500, object->dump());
    }
    std::string version = metadata_at(*object, "resourceVersion");
    if (type.empty() || version.empty()) return unreadable("watch event");
    if (type == "DELETED") {
      handler_.deleted(*object);
    } else if (type != "BOOKMARK") {
      handler_.changed(*object);
    }
    version_ = std::move(version);
    return std::nullopt;
  }

  Api& api_;
  const WatchOptions& options_;
  const WatchHandler& handler_;
  const std::stop_token& stop_;
  Backoff backoff_;
  std::minstd_rand random_{std::random_device{}()};
  std::string version_;  ///< what has been seen; empty: nothing
};

}  // namespace

void list_and_watch(Api& api, const WatchOptions& options, const WatchHandler& handler,
                    const std::stop_token& stop) {
  Watcher(api, options, handler, stop).run();
}

}  // namespace kube
