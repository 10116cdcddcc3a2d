#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "exit_codes/table.h"

namespace exit_codes {

/// Reads a table annotation from the events of nlohmann's SAX parser; stops at the first thing
/// that the contract does not allow. For one parse.
class TableReader {
 public:
  /// The table, once the parser has said that all is well; nullopt, with `error()` set, if keys
  /// are missing.
  [[nodiscard]] std::optional<Table> take();

  /// What is wrong, and what to write instead; empty if nothing is.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

  // What the parser calls; false ends it.
  bool null();
  bool boolean(bool value);
  bool number_integer(std::int64_t value);
  bool number_unsigned(std::uint64_t value);
  bool number_float(double value, const std::string& text);
  bool string(const std::string& value);
  bool binary(const nlohmann::json::binary_t& value);
  bool start_object(std::size_t size);
  bool key(const std::string& name);
  bool end_object();
  bool start_array(std::size_t size);
  bool end_array();
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& error);

 private:
  enum class Place { document, table, codes, reasons };
  enum class Key {
    version,
    profile,
    permanent,
    retryable,
    undefined,
    reasons,
    disruption,
    no_exit_code,
    max_retries
  };
  static constexpr std::size_t kKeyCount = 9;
  static constexpr std::string_view kKeyNames[kKeyCount] = {
      "version", "profile",    "permanent",  "retryable", "undefined",
      "reasons", "disruption", "noExitCode", "maxRetries"};

  [[nodiscard]] std::string_view key_name() const noexcept;
  bool fail(std::string message);
  /// Fails: `what` stands where it may not.
  bool unexpected(const std::string& what);
  [[nodiscard]] std::string expected() const;
  bool read_code(std::uint64_t value);
  bool read_verdict(const std::string& text);

  Table table_;
  std::string error_;
  Place place_ = Place::document;
  Key key_ = Key::version;      ///< the last key of the table
  std::string reason_;          ///< the last key of `reasons`
  std::size_t code_count_ = 0;  ///< how many codes of the list were read
  bool seen_[kKeyCount] = {};
};

/// Looks only for the version of a table, whatever else it holds.
class VersionReader {
 public:
  /// 0 if there is none, or one that is no positive integer.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t) { return true; }
  bool number_unsigned(std::uint64_t value);
  bool number_float(double, const std::string&) { return true; }
  bool string(const std::string&) { return true; }
  bool binary(const nlohmann::json::binary_t&) { return true; }
  bool start_object(std::size_t);
  bool key(const std::string& name);
  bool end_object();
  bool start_array(std::size_t);
  bool end_array();
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    return false;
  }

 private:
  std::size_t depth_ = 0;
  bool at_version_ = false;
  std::uint64_t version_ = 0;
};

}  // namespace exit_codes
