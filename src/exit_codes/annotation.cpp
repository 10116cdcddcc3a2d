#include "exit_codes/annotation.h"

#include <cstddef>
#include <optional>

#include <nlohmann/json.hpp>

#include "exit_codes/table_reader.h"

namespace exit_codes {
namespace {

// What Kubernetes allows all annotations of an object together.
constexpr std::size_t kMaxBytes = 262'144;

void append_string(std::string& out, std::string_view text) {
  using nlohmann::json;
  out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void append_codes(std::string& out, const CodeSet& codes) {
  out += '[';
  bool first = true;
  for (const int code : codes.values()) {
    if (!first) out += ',';
    first = false;
    out += std::to_string(code);
  }
  out += ']';
}

void append_verdict(std::string& out, Verdict verdict) {
  out += '"';
  out += to_string(verdict);
  out += '"';
}

/// The version of a table that is JSON but not of this version, if it is a later one.
std::optional<std::uint64_t> later_version(std::string_view value) {
  VersionReader reader;
  if (!nlohmann::json::sax_parse(value, &reader)) return std::nullopt;
  return reader.version() > kTableVersion ? std::optional(reader.version()) : std::nullopt;
}

}  // namespace

std::string encode(const Table& table) {
  std::string out = "{\"version\":" + std::to_string(kTableVersion) + ",\"profile\":";
  append_string(out, table.profile);
  out += ",\"permanent\":";
  append_codes(out, table.permanent);
  out += ",\"retryable\":";
  append_codes(out, table.retryable);
  out += ",\"undefined\":";
  append_verdict(out, table.undefined);
  out += ",\"reasons\":{";
  bool first = true;
  for (const auto& [reason, verdict] : table.reasons) {
    if (!first) out += ',';
    first = false;
    append_string(out, reason);
    out += ':';
    append_verdict(out, verdict);
  }
  out += "},\"disruption\":";
  append_verdict(out, table.disruption);
  out += ",\"noExitCode\":";
  append_verdict(out, table.no_exit_code);
  if (table.max_retries) out += ",\"maxRetries\":" + std::to_string(*table.max_retries);
  out += '}';
  return out;
}

std::variant<Table, DecodeError> decode(std::string_view value) {
  if (value.size() > kMaxBytes) {
    return DecodeError{"the table has " + std::to_string(value.size()) + " bytes, more than the " +
                       std::to_string(kMaxBytes) + " that an object's annotations may have"};
  }
  // The parser takes a zero byte for the end of the text and skips a byte order mark.
  if (const auto zero = value.find('\0'); zero != std::string_view::npos) {
    return DecodeError{"the table is not JSON: a zero byte at byte " + std::to_string(zero + 1)};
  }
  if (value.starts_with("\xEF\xBB\xBF")) {
    return DecodeError{"the table is not JSON: it begins with a byte order mark"};
  }
  TableReader reader;
  if (nlohmann::json::sax_parse(value, &reader)) {
    if (auto table = reader.take()) return std::move(*table);
  }
  if (const auto version = later_version(value)) {
    return DecodeError{"the table is of version " + std::to_string(*version) +
                       ", later than the one that is known here, " + std::to_string(kTableVersion)};
  }
  return DecodeError{reader.error()};
}

}  // namespace exit_codes
