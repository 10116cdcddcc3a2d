#include "webhook/log.h"

#include <chrono>

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>
#include <spdlog/async.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace webhook {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kQueuedLines = 8192;

std::string dump(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// RFC 3339 in UTC with milliseconds.
std::string now() {
  const auto time =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto millis = time.time_since_epoch() % std::chrono::seconds(1);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)), millis.count());
}

}  // namespace

struct Log::Impl {
  LogFormat format = LogFormat::json;
  LogLevel level = LogLevel::info;
  std::shared_ptr<spdlog::async_logger> logger;
  // Last, so that its thread has written what is queued, and is gone, before the logger goes.
  std::shared_ptr<spdlog::details::thread_pool> pool;
};

Log::Log(LogFormat format, LogLevel level) : impl_(std::make_unique<Impl>()) {
  impl_->format = format;
  impl_->level = level;
  impl_->pool = std::make_shared<spdlog::details::thread_pool>(kQueuedLines, 1);
  impl_->logger = std::make_shared<spdlog::async_logger>(
      "tfjob-webhook", std::make_shared<spdlog::sinks::stderr_sink_mt>(), impl_->pool,
      spdlog::async_overflow_policy::overrun_oldest);
  // Lines come whole.
  impl_->logger->set_pattern("%v", spdlog::pattern_time_type::utc);
  impl_->logger->flush_on(spdlog::level::info);
}

Log::~Log() = default;

bool Log::writes(LogLevel level) const noexcept { return level >= impl_->level; }

void Log::write(LogLevel level, std::string_view message, Fields fields) {
  if (!writes(level)) return;
  impl_->logger->info("{}", format_line(impl_->format, now(), level, message, fields));
}

std::size_t Log::dropped() const { return impl_->pool->overrun_counter(); }

std::string format_line(LogFormat format, std::string_view time, LogLevel level,
                        std::string_view message, Log::Fields fields) {
  if (format == LogFormat::json) {
    ordered_json line{{"time", time}, {"level", to_string(level)}, {"message", message}};
    for (const auto& [key, value] : fields) line[std::string(key)] = value;
    return dump(line);
  }
  std::string line;
  line.append(time).append(" ").append(to_string(level)).append(" ").append(message);
  for (const auto& [key, value] : fields) {
    line.append(" ").append(key).append("=").append(dump(value));
  }
  return line;
}

std::string_view to_string(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warn:
      return "warn";
    case LogLevel::error:
      return "error";
  }
  return "info";
}

}  // namespace webhook
