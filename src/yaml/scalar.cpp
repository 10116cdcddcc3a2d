#include "yaml/scalar.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "yaml/number.h"
#include "yaml/quoted.h"

namespace yaml {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

struct Word {
  std::string_view text;
  bool value;
};

constexpr std::array kBooleans = {
    Word{"y", true},      Word{"Y", true},      Word{"yes", true},    Word{"Yes", true},
    Word{"YES", true},    Word{"true", true},   Word{"True", true},   Word{"TRUE", true},
    Word{"on", true},     Word{"On", true},     Word{"ON", true},     Word{"n", false},
    Word{"N", false},     Word{"no", false},    Word{"No", false},    Word{"NO", false},
    Word{"false", false}, Word{"False", false}, Word{"FALSE", false}, Word{"off", false},
    Word{"Off", false},   Word{"OFF", false},
};
constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 6> kInfinities = {".inf",  ".Inf",  ".INF",
                                                         "+.inf", "+.Inf", "+.INF"};
constexpr std::array<std::string_view, 3> kMinusInfinities = {"-.inf", "-.Inf", "-.INF"};
constexpr std::array<std::string_view, 3> kNotNumbers = {".nan", ".NaN", ".NAN"};

Scalar resolve_plain(std::string_view text) {
  if (std::ranges::find(kNulls, text) != kNulls.end()) return std::monostate{};
  const auto* const word = std::ranges::find(kBooleans, text, &Word::text);
  if (word != kBooleans.end()) return word->value;
  using Limits = std::numeric_limits<double>;
  if (std::ranges::find(kInfinities, text) != kInfinities.end()) return Limits::infinity();
  if (std::ranges::find(kMinusInfinities, text) != kMinusInfinities.end()) {
    return -Limits::infinity();
  }
  if (std::ranges::find(kNotNumbers, text) != kNotNumbers.end()) return Limits::quiet_NaN();
  if (const std::optional<Number> number = parse_number(text)) {
    return std::visit([](auto value) -> Scalar { return value; }, *number);
  }
  return std::string(text);
}

/// The value as the type of `tag`, or nullopt if it is of another.
std::optional<Scalar> as_tagged(std::string_view tag, const Scalar& value) {
  const bool is_integer =
      std::holds_alternative<std::int64_t>(value) || std::holds_alternative<std::uint64_t>(value);
  if (tag == "null" && std::holds_alternative<std::monostate>(value)) return value;
  if (tag == "bool" && std::holds_alternative<bool>(value)) return value;
  if (tag == "int" && is_integer) return value;
  if (tag == "float") {
    if (std::holds_alternative<double>(value)) return value;
    if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
      return static_cast<double>(*integer);
    }
  }
  return std::nullopt;
}

}  // namespace

std::expected<Scalar, Error> resolve(const Node& node) {
  const std::string_view text = node.text();
  std::string_view tag = node.tag();
  if (tag.empty()) return node.is_implicit() ? resolve_plain(text) : Scalar(std::string(text));
  if (!tag.starts_with(kTagPrefix)) return std::string(text);

  tag.remove_prefix(kTagPrefix.size());
  if (tag == "binary") {
    return std::unexpected(
        Error{node.mark(), "!!binary cannot be written as JSON: give the base64 text without it"});
  }
  if (tag != "null" && tag != "bool" && tag != "int" && tag != "float") return std::string(text);
  if (std::optional<Scalar> value = as_tagged(tag, resolve_plain(text))) return *std::move(value);
  return std::unexpected(Error{node.mark(), quoted(text) + " is no !!" + std::string(tag) +
                                                ": correct it or remove the tag"});
}

bool is_null(const Node& node) {
  if (!node.is_scalar()) return false;
  const std::expected<Scalar, Error> value = resolve(node);
  return value.has_value() && std::holds_alternative<std::monostate>(*value);
}

}  // namespace yaml
