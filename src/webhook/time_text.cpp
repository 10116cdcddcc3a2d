#include "webhook/time_text.h"

#include <fmt/chrono.h>

namespace webhook {

std::string time_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace webhook
