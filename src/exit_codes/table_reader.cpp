#include "exit_codes/table_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "exit_codes/nearest.h"
#include "exit_codes/quote.h"

namespace exit_codes {

std::optional<Table> TableReader::take() {
  std::string missing;
  int count = 0;
  for (std::size_t i = 0; i < kKeyCount; ++i) {
    if (seen_[i] || i == static_cast<std::size_t>(Key::max_retries)) continue;
    missing += (count == 0 ? "'" : ", '") + std::string(kKeyNames[i]) + "'";
    ++count;
  }
  if (count > 0) {
    fail((count == 1 ? "a key is missing: " : "keys are missing: ") + missing);
    return std::nullopt;
  }
  return std::move(table_);
}

bool TableReader::null() { return unexpected("null"); }

bool TableReader::boolean(bool value) { return unexpected(value ? "true" : "false"); }

bool TableReader::number_integer(std::int64_t value) {
  // The parser calls this for numbers with a minus sign only, "-0" among them.
  return unexpected(value == 0 ? "-0" : std::to_string(value));
}

bool TableReader::number_unsigned(std::uint64_t value) {
  if (place_ == Place::codes) return read_code(value);
  if (place_ == Place::table && key_ == Key::version && value == kTableVersion) return true;
  if (place_ == Place::table && key_ == Key::max_retries && value <= kMaxMaxRetries) {
    table_.max_retries = static_cast<int>(value);
    return true;
  }
  return unexpected(std::to_string(value));
}

bool TableReader::number_float(double /*value*/, const std::string& text) {
  constexpr std::size_t kLongest = 24;
  return unexpected(text.size() > kLongest ? text.substr(0, kLongest) + "..." : text);
}

bool TableReader::string(const std::string& value) {
  if (place_ == Place::reasons) return read_verdict(value);
  if (place_ == Place::table) {
    switch (key_) {
      case Key::profile:
        table_.profile = value;
        return true;
      case Key::undefined:
      case Key::disruption:
      case Key::no_exit_code:
        return read_verdict(value);
      default:
        break;
    }
  }
  return unexpected("the string " + quote(value));
}

bool TableReader::binary(const nlohmann::json::binary_t& /*value*/) {
  return unexpected("binary data");
}

bool TableReader::start_object(std::size_t /*size*/) {
  if (place_ == Place::document) {
    place_ = Place::table;
    return true;
  }
  if (place_ == Place::table && key_ == Key::reasons) {
    place_ = Place::reasons;
    return true;
  }
  return unexpected("an object");
}

bool TableReader::key(const std::string& name) {
  if (place_ == Place::reasons) {
    if (table_.reasons.contains(name)) {
      return fail("'reasons' has " + quote(name) + " twice: keep one");
    }
    reason_ = name;
    return true;
  }
  const auto* const found = std::ranges::find(kKeyNames, name);
  if (found == std::end(kKeyNames)) {
    const std::string_view near = nearest(name, kKeyNames);
    return fail("unknown key " + quote(name) +
                (near.empty() ? ": take it out" : ": did you mean '" + std::string(near) + "'?"));
  }
  const auto index = static_cast<std::size_t>(std::distance(std::begin(kKeyNames), found));
  key_ = static_cast<Key>(index);
  if (seen_[index]) return fail("the key '" + name + "' stands there twice: keep one");
  seen_[index] = true;
  return true;
}

bool TableReader::end_object() {
  place_ = place_ == Place::reasons ? Place::table : Place::document;
  return true;
}

bool TableReader::start_array(std::size_t /*size*/) {
  if (place_ == Place::table && (key_ == Key::permanent || key_ == Key::retryable)) {
    place_ = Place::codes;
    code_count_ = 0;
    return true;
  }
  return unexpected("an array");
}

bool TableReader::end_array() {
  place_ = Place::table;
  return true;
}

bool TableReader::parse_error(std::size_t position, const std::string& /*token*/,
                              const nlohmann::json::exception& error) {
  constexpr int kOutOfRange = 406;  // nlohmann's number of "number overflow"
  const std::string at = " at byte " + std::to_string(position);
  return fail(error.id == kOutOfRange ? "a number is too large" + at
                                      : "the table is not JSON: an error" + at);
}

std::string_view TableReader::key_name() const noexcept {
  return kKeyNames[static_cast<std::size_t>(key_)];
}

bool TableReader::fail(std::string message) {
  error_ = std::move(message);
  return false;
}

bool TableReader::unexpected(const std::string& what) {
  std::string where = "the table";
  if (place_ == Place::table) where = "'" + std::string(key_name()) + "'";
  if (place_ == Place::codes) {
    where = "'" + std::string(key_name()) + "[" + std::to_string(code_count_) + "]'";
  }
  if (place_ == Place::reasons) where = "reason " + quote(reason_);
  return fail(where + " is " + what + ": write " + expected());
}

std::string TableReader::expected() const {
  std::string verdict = R"("retryable" or "permanent")";
  switch (place_) {
    case Place::document:
      return "a JSON object";
    case Place::codes:
      return "an integer from 1 to 255";
    case Place::reasons:
      return verdict;
    case Place::table:
      break;
  }
  switch (key_) {
    case Key::version:
      return std::to_string(kTableVersion);
    case Key::profile:
      return "the name of a profile";
    case Key::permanent:
    case Key::retryable:
      return "an array of exit codes";
    case Key::reasons:
      return "an object of reasons";
    case Key::max_retries:
      return "an integer from 0 to " + std::to_string(kMaxMaxRetries);
    default:
      return verdict;
  }
}

bool TableReader::read_code(std::uint64_t value) {
  if (value < kMinCode || value > kMaxCode) return unexpected(std::to_string(value));
  const auto code = static_cast<int>(value);
  CodeSet& own = key_ == Key::permanent ? table_.permanent : table_.retryable;
  const CodeSet& other = key_ == Key::permanent ? table_.retryable : table_.permanent;
  if (own.contains(code)) {
    return fail("'" + std::string(key_name()) + "' has " + std::to_string(code) +
                " twice: keep one");
  }
  if (other.contains(code)) {
    return fail("'permanent' and 'retryable' both have " + std::to_string(code) +
                ": keep it in one");
  }
  own.insert(code);
  ++code_count_;
  return true;
}

bool TableReader::read_verdict(const std::string& text) {
  const auto verdict = parse_actionable_verdict(text);
  if (!verdict) return unexpected("the string " + quote(text));
  if (place_ == Place::reasons) {
    table_.reasons.emplace(reason_, *verdict);
  } else if (key_ == Key::undefined) {
    table_.undefined = *verdict;
  } else if (key_ == Key::disruption) {
    table_.disruption = *verdict;
  } else {
    table_.no_exit_code = *verdict;
  }
  return true;
}

bool VersionReader::number_unsigned(std::uint64_t value) {
  if (depth_ == 1 && at_version_) version_ = value;
  return true;
}

bool VersionReader::start_object(std::size_t /*size*/) {
  ++depth_;
  return true;
}

bool VersionReader::key(const std::string& name) {
  if (depth_ == 1) at_version_ = name == "version";
  return true;
}

bool VersionReader::end_object() {
  --depth_;
  return true;
}

bool VersionReader::start_array(std::size_t /*size*/) {
  ++depth_;
  return true;
}

bool VersionReader::end_array() {
  --depth_;
  return true;
}

}  // namespace exit_codes
