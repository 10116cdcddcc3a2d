#include "yaml/key.h"

#include <array>
#include <charconv>
#include <cmath>

#include "yaml/quoted.h"
#include "yaml/scalar.h"

namespace yaml {
namespace {

/// What Go's strconv.FormatFloat(value, 'g', -1, 32) gives, with YAML's names for what is no
/// number.
std::string float_name(double value) {
  if (std::isnan(value)) return ".nan";
  const auto narrow = static_cast<float>(value);
  if (std::isinf(narrow)) return narrow > 0 ? ".inf" : "-.inf";

  const float magnitude = std::fabs(narrow);
  const bool exponent = magnitude >= 1e6F || (magnitude < 1e-4F && magnitude > 0);
  const auto format = exponent ? std::chars_format::scientific : std::chars_format::fixed;
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  return {begin, std::to_chars(begin, begin + buffer.size(), narrow, format).ptr};
}

std::string name_of(const Scalar& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*integer);
  }
  return float_name(std::get<double>(value));
}

}  // namespace

std::expected<std::string, Error> key_name(const Node& key) {
  if (!key.is_scalar()) {
    return std::unexpected(Error{
        key.mark(), std::string(key.is_mapping() ? "a mapping" : "a list") +
                        " cannot be a key: if this is a value with braces or brackets, quote it"});
  }
  const std::expected<Scalar, Error> value = resolve(key);
  if (!value) return std::unexpected(value.error());
  if (std::holds_alternative<std::monostate>(*value)) {
    return std::unexpected(Error{key.mark(), "null cannot be a key: write a name before the ':'"});
  }
  if (std::holds_alternative<std::uint64_t>(*value)) {
    return std::unexpected(
        Error{key.mark(), quoted(key.text()) + " is too large a number for a key: quote it"});
  }
  return name_of(*value);
}

bool is_merge_key(const Node& key) {
  if (!key.is_scalar() || key.text() != "<<") return false;
  return key.is_implicit() || key.tag() == "tag:yaml.org,2002:merge";
}

}  // namespace yaml
