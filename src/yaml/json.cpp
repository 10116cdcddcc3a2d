#include "yaml/json.h"

#include <cmath>
#include <string_view>
#include <unordered_map>

#include "yaml/quoted.h"
#include "yaml/scalar.h"

namespace yaml {
namespace {

using Json = nlohmann::ordered_json;
using JsonResult = std::expected<Json, Error>;

JsonResult float_to_json(const Node& node, double value) {
  if (!std::isfinite(value)) {
    return std::unexpected(
        Error{node.mark(), "JSON has no " + quoted(node.text()) + ": write a number, or quote it"});
  }
  constexpr double kBeyondInt64 = 9223372036854775808.0;
  if (std::trunc(value) == value && std::fabs(value) < kBeyondInt64) {
    return Json(static_cast<std::int64_t>(value));
  }
  return Json(value);
}

JsonResult scalar_to_json(const Node& node) {
  std::expected<Scalar, Error> value = resolve(node);
  if (!value) return std::unexpected(std::move(value).error());
  if (std::holds_alternative<std::monostate>(*value)) return Json(nullptr);
  if (const auto* const number = std::get_if<double>(&*value)) return float_to_json(node, *number);
  if (const auto* const boolean = std::get_if<bool>(&*value)) return Json(*boolean);
  if (const auto* const integer = std::get_if<std::int64_t>(&*value)) return Json(*integer);
  if (const auto* const integer = std::get_if<std::uint64_t>(&*value)) return Json(*integer);
  return Json(std::get<std::string>(*std::move(value)));
}

JsonResult sequence_to_json(const Node& node) {
  Json array = Json::array();
  for (const Node& item : node.items()) {
    JsonResult value = to_json(item);
    if (!value) return value;
    array.push_back(*std::move(value));
  }
  return array;
}

JsonResult mapping_to_json(const Node& node) {
  Json object = Json::object();
  auto& members = object.get_ref<Json::object_t&>();
  // An ordered_json's own look-up is linear.
  std::unordered_map<std::string_view, std::size_t> positions;
  for (const Entry& entry : node.entries()) {
    JsonResult value = to_json(entry.value);
    if (!value) return value;
    const auto [position, is_new] = positions.try_emplace(entry.name, members.size());
    if (is_new) {
      members.emplace_back(entry.name, *std::move(value));
    } else {
      members.data()[position->second].second = *std::move(value);
    }
  }
  return object;
}

}  // namespace

JsonResult to_json(const Node& node) {
  switch (node.kind()) {
    case Kind::sequence:
      return sequence_to_json(node);
    case Kind::mapping:
      return mapping_to_json(node);
    case Kind::scalar:
      break;
  }
  return scalar_to_json(node);
}

}  // namespace yaml
