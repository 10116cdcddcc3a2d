#include "http/date.h"

#include <array>
#include <ctime>

namespace http {
namespace {

struct Cache {
  std::time_t second = -1;
  std::array<char, 40> text{};
  std::size_t size = 0;
};

}  // namespace

std::string_view http_date() {
  // Written once a second, not once a reply.
  thread_local Cache cache;
  const std::time_t now = std::time(nullptr);
  if (now != cache.second) {
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    // The program never sets a locale, so that names are English.
    cache.size =
        std::strftime(cache.text.data(), cache.text.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
    cache.second = now;
  }
  return {cache.text.data(), cache.size};
}

}  // namespace http
