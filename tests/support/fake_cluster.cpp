#include "tests/support/fake_cluster.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

namespace support {
namespace {

using nlohmann::json;

std::unexpected<kube::Error> refused(int status, std::string reason, std::string message) {
  return std::unexpected(
      kube::Error{.status = status, .reason = std::move(reason), .message = std::move(message)});
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string in_query(std::string_view query, std::string_view name) {
  for (const std::string& part : split(query, '&')) {
    if (!part.starts_with(std::string(name) + "=")) continue;
    std::string value = part.substr(name.size() + 1);
    for (std::size_t at = 0; (at = value.find("%2F")) != std::string::npos;) {
      value.replace(at, 3, "/");
    }
    return value;
  }
  return {};
}

/// What a writer wants the object to be still; empty if it is, else what is not.
std::string broken_precondition(const json& stored, const json& wanted) {
  for (const char* const key : {"uid", "resourceVersion"}) {
    const std::string value = wanted.value(key, std::string());
    if (!value.empty() && value != stored["metadata"].value(key, std::string())) return key;
  }
  return {};
}

}  // namespace

FakeCluster::Target FakeCluster::target_of(std::string_view path) {
  std::vector<std::string> parts = split(path.substr(0, path.find('?')), '/');
  const std::size_t group = parts.at(0) == "api" ? 2 : 3;
  std::string collection;
  for (std::size_t i = 0; i < group; ++i) collection += "/" + parts.at(i);
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(group));
  std::string name_space;
  if (parts.at(0) == "namespaces" && parts.size() > 2) {
    name_space = parts[1];
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  const auto part = [&parts](std::size_t i) { return i < parts.size() ? parts[i] : std::string(); };
  return {.key = {collection + "/" + part(0), name_space, part(1)}, .subresource = part(2)};
}

json FakeCluster::store(const Key& key, json object) {
  json& metadata = object["metadata"];
  metadata["resourceVersion"] = std::to_string(++version_);
  metadata["namespace"] = std::get<1>(key);
  metadata["name"] = std::get<2>(key);
  if (!metadata.contains("uid")) metadata["uid"] = "uid-" + std::to_string(version_);
  objects_[key] = object;
  return object;
}

json FakeCluster::put(const std::string& path, json object) {
  const std::lock_guard lock(mutex_);
  return store(target_of(path).key, std::move(object));
}

json FakeCluster::get(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(target_of(path).key);
  return found == objects_.end() ? json() : found->second;
}

void FakeCluster::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  objects_.erase(target_of(path).key);
}

std::vector<json> FakeCluster::all(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  std::vector<json> found;
  for (const auto& [key, object] : objects_) {
    if (std::get<0>(key) == path) found.push_back(object);
  }
  return found;
}

void FakeCluster::fail(std::string method, std::string part, kube::Error error, int times) {
  const std::lock_guard lock(mutex_);
  faults_.push_back({std::move(method), std::move(part), std::move(error), times});
}

std::vector<kube::Request> FakeCluster::requests(std::string_view method,
                                                 std::string_view part) const {
  const std::lock_guard lock(mutex_);
  std::vector<kube::Request> found;
  std::ranges::copy_if(requests_, std::back_inserter(found), [&](const kube::Request& request) {
    return (method.empty() || request.method == method) &&
           request.path.find(part) != std::string::npos;
  });
  return found;
}

void FakeCluster::before_each_call(std::function<void(const kube::Request&)> action) {
  const std::lock_guard lock(mutex_);
  before_ = std::move(action);
}

std::expected<std::string, kube::Error> FakeCluster::send(const kube::Request& request) {
  std::unique_lock lock(mutex_);
  if (const auto before = before_) {
    lock.unlock();
    before(request);
    lock.lock();
  }
  requests_.push_back(request);
  for (Fault& fault : faults_) {
    if (fault.times == 0 || fault.method != request.method) continue;
    if (request.path.find(fault.part) == std::string::npos) continue;
    --fault.times;
    return std::unexpected(fault.error);
  }
  const Target target = target_of(request.path);
  if (request.method == "POST") return create(target, json::parse(request.body));
  if (std::get<2>(target.key).empty()) {
    const std::size_t query = std::min(request.path.find('?'), request.path.size());
    return list(target,
                std::string_view(request.path).substr(std::min(query + 1, request.path.size())));
  }
  if (!objects_.contains(target.key)) {
    return refused(404, "NotFound", "\"" + std::get<2>(target.key) + "\" not found");
  }
  if (request.method == "GET") return objects_.at(target.key).dump();
  if (request.method == "DELETE") return erase(target, request.body);
  return change(target, request);
}

FakeCluster::Answer FakeCluster::list(const Target& target, std::string_view query) const {
  const std::string label = in_query(query, "labelSelector");
  std::vector<json> found;
  for (const auto& [key, object] : objects_) {
    const auto& [collection, name_space, name] = key;
    if (collection != std::get<0>(target.key)) continue;
    if (!std::get<1>(target.key).empty() && name_space != std::get<1>(target.key)) continue;
    if (!label.empty() && !object["metadata"].value("labels", json::object()).contains(label))
      continue;
    found.push_back(object);
  }
  const std::string limit = in_query(query, "limit");
  const std::string from = in_query(query, "continue");
  const std::size_t begin = from.empty() ? 0 : std::stoul(from);
  const std::size_t size = limit.empty() ? found.size() : std::stoul(limit);
  json page{{"metadata", {{"resourceVersion", std::to_string(version_)}}},
            {"items", json::array()}};
  for (std::size_t i = begin; i < std::min(begin + size, found.size()); ++i) {
    page["items"].push_back(found[i]);
  }
  if (begin + size < found.size()) page["metadata"]["continue"] = std::to_string(begin + size);
  return page.dump();
}

FakeCluster::Answer FakeCluster::create(Target target, json object) {
  std::get<2>(target.key) = object.at("metadata").at("name").get<std::string>();
  if (objects_.contains(target.key)) {
    return refused(409, "AlreadyExists", "\"" + std::get<2>(target.key) + "\" already exists");
  }
  return store(target.key, std::move(object)).dump();
}

FakeCluster::Answer FakeCluster::change(const Target& target, const kube::Request& request) {
  const json& stored = objects_.at(target.key);
  const json body = json::parse(request.body);
  if (body.is_object()) {
    const std::string broken = broken_precondition(stored, body.value("metadata", json::object()));
    if (!broken.empty()) return refused(409, "Conflict", "another " + broken);
  }
  json changed = stored;
  if (request.method == "PUT") {
    changed = body;
    changed["metadata"]["uid"] = stored["metadata"]["uid"];
  } else if (request.content_type == kube::kJsonPatch) {
    try {
      changed = stored.patch(body);
    } catch (const json::exception& error) {
      return refused(422, "Invalid", error.what());
    }
  } else if (target.subresource == "status") {
    changed["status"].merge_patch(body.at("status"));
  } else {
    changed.merge_patch(body);
  }
  const json& metadata = changed["metadata"];
  if (metadata.contains("deletionTimestamp") &&
      metadata.value("finalizers", json::array()).empty()) {
    objects_.erase(target.key);
    return changed.dump();
  }
  return store(target.key, std::move(changed)).dump();
}

FakeCluster::Answer FakeCluster::erase(const Target& target, const std::string& options) {
  json& stored = objects_.at(target.key);
  if (!options.empty()) {
    const json wanted = json::parse(options).value("preconditions", json::object());
    const std::string broken = broken_precondition(stored, wanted);
    if (!broken.empty()) return refused(409, "Conflict", "another " + broken);
  }
  if (stored["metadata"].value("finalizers", json::array()).empty()) {
    objects_.erase(target.key);
  } else {
    stored["metadata"]["deletionTimestamp"] = "2026-12-01T08:00:30Z";
  }
  return "{}";
}

std::expected<void, kube::Error> FakeCluster::stream(
    const std::string& path, const std::function<bool(std::string_view)>& on_line,
    const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back({.method = "WATCH", .path = path});
  }
  if (watch) return watch(path, on_line, stop);
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, stop, [] { return false; });
  return {};
}

}  // namespace support
