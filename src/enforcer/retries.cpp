#include "enforcer/retries.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <nlohmann/json.hpp>

namespace enforcer {
namespace {

using nlohmann::ordered_json;

constexpr int kVersion = 1;

}  // namespace

bool Retries::has(const std::string& replica, const std::string& pod, std::uint64_t version) const {
  const auto known = replicas.find(replica);
  return known != replicas.end() && (known->second.pod == pod || version <= known->second.version);
}

int Retries::count(const std::string& replica) const {
  const auto known = replicas.find(replica);
  return known == replicas.end() ? 0 : known->second.count;
}

void Retries::add(const std::string& replica, const std::string& pod, std::uint64_t version) {
  if (has(replica, pod, version)) return;
  ReplicaRetries& known = replicas[replica];
  ++known.count;
  known.pod = pod;
  known.version = version;
}

std::string encode(const Retries& retries) {
  ordered_json replicas = ordered_json::object();
  for (const auto& [name, replica] : retries.replicas) {
    replicas[name] = {{"retries", replica.count},
                      {"pod", replica.pod},
                      {"resourceVersion", std::to_string(replica.version)}};
  }
  ordered_json value{{"version", kVersion}, {"job", retries.job}};
  if (!retries.resumed.empty()) value["resumed"] = retries.resumed;
  value["replicas"] = std::move(replicas);
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Retries decode_retries(std::string_view value, const std::string& uid, const std::string& resumed) {
  Retries none{.job = uid, .resumed = resumed, .replicas = {}};
  const auto object = nlohmann::json::parse(value, nullptr, false);
  if (!object.is_object()) return none;
  try {
    if (object.value("version", 0) != kVersion || object.value("job", std::string()) != uid ||
        object.value("resumed", std::string()) != resumed) {
      return none;
    }
    Retries retries = none;
    for (const auto& [name, item] : object.at("replicas").items()) {
      ReplicaRetries replica{.count = std::max(0, item.at("retries").get<int>()),
                             .pod = item.at("pod").get<std::string>(),
                             .version = 0};
      const auto version = item.at("resourceVersion").get<std::string>();
      std::from_chars(version.data(), version.data() + version.size(), replica.version);
      retries.replicas.emplace(name, std::move(replica));
    }
    return retries;
  } catch (const nlohmann::json::exception&) {
    // Somebody has written over it.
    return none;
  }
}

}  // namespace enforcer
