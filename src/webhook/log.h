#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace webhook {

enum class LogFormat { json, text };
enum class LogLevel { debug, info, warn, error };

/// The program's log: a line per event on standard error, a message and named fields. Lines are
/// handed to a writer thread through a bounded queue, so that logging never blocks; what finds no
/// room pushes the oldest lines out, and those are counted. Safe for use from many threads.
class Log {
 public:
  using Field = std::pair<std::string_view, std::string_view>;
  using Fields = std::initializer_list<Field>;

  /// Lines below `level` are left out.
  Log(LogFormat format, LogLevel level);
  /// Writes what is queued.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Whether lines of `level` are written.
  [[nodiscard]] bool writes(LogLevel level) const noexcept;

  /// Logs `message` with `fields`, in the order given. Control characters and invalid UTF-8 are
  /// escaped or replaced: one event is always one line.
  void write(LogLevel level, std::string_view message, Fields fields = {});

  /// Lines lost so far because the writer was too slow.
  [[nodiscard]] std::size_t dropped() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One line without its end. JSON: `{"time":…,"level":…,"message":…,FIELDS}`; text:
/// `TIME LEVEL message key="value"`. `time` is as it shall be printed.
[[nodiscard]] std::string format_line(LogFormat format, std::string_view time, LogLevel level,
                                      std::string_view message, Log::Fields fields);

[[nodiscard]] std::string_view to_string(LogLevel level) noexcept;

}  // namespace webhook
