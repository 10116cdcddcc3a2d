#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace kube {

/// The text at `key` of an object; empty where there is none, or `object` is none.
[[nodiscard]] inline std::string text_at(const nlohmann::json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace kube
