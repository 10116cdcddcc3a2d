#include "kube/event.h"

#include <array>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "http/rfc3339.h"
#include "kube/path.h"

namespace kube {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxMessage = 1024;
/// A name has 253 bytes at most, and there is the number behind it.
constexpr std::size_t kMaxName = 220;

}  // namespace

std::string_view cut(std::string_view text, std::size_t size) noexcept {
  if (text.size() <= size) return text;
  // Bytes behind the first one of a character begin with 10.
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

Request create_event(const Event& event, std::string_view component, std::string_view instance,
                     std::chrono::system_clock::time_point now, unsigned long number) {
  // As client-go names them: the object, and a number that is never used again.
  std::array<char, 40> suffix{};
  const auto ticks = static_cast<unsigned long long>(now.time_since_epoch().count());
  std::snprintf(suffix.data(), suffix.size(), ".%llx%lx", ticks, number);
  const std::string name = std::string(cut(event.about.name, kMaxName)) + suffix.data();
  const std::string time = http::rfc3339(now);
  const json object{{"apiVersion", "v1"},
                    {"kind", "Event"},
                    {"metadata", {{"name", name}, {"namespace", event.about.name_space}}},
                    {"involvedObject",
                     {{"apiVersion", event.about.api_version},
                      {"kind", event.about.kind},
                      {"namespace", event.about.name_space},
                      {"name", event.about.name},
                      {"uid", event.about.uid}}},
                    {"type", event.warning ? "Warning" : "Normal"},
                    {"reason", event.reason},
                    {"message", cut(event.message, kMaxMessage)},
                    {"source", {{"component", component}}},
                    {"reportingComponent", component},
                    {"reportingInstance", instance},
                    {"firstTimestamp", time},
                    {"lastTimestamp", time},
                    {"count", 1}};
  return {.method = "POST",
          .path = path_of(kEvents, event.about.name_space),
          // What a container wrote may be anything.
          .body = object.dump(-1, ' ', false, json::error_handler_t::replace)};
}

}  // namespace kube
