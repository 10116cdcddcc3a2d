#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "kube/api.h"

namespace kube {

/// The object that an Event is about.
struct ObjectReference {
  std::string api_version;
  std::string kind;
  std::string name_space;
  std::string name;
  std::string uid;
};

/// One thing that happened to an object.
struct Event {
  ObjectReference about;
  bool warning = true;  ///< type Warning, else Normal
  std::string reason;   ///< one word, CamelCase
  std::string message;  ///< cut to the API server's 1,024 bytes
};

/// The call that records `event` (core/v1). `component` reports, `instance` is which of several;
/// `number` tells events of one object apart.
[[nodiscard]] Request create_event(const Event& event, std::string_view component,
                                   std::string_view instance,
                                   std::chrono::system_clock::time_point now, unsigned long number);

/// The first `size` bytes of `text`, cut between characters of UTF-8.
[[nodiscard]] std::string_view cut(std::string_view text, std::size_t size) noexcept;

}  // namespace kube
