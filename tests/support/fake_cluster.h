#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "kube/api.h"

namespace support {

/// An API server in memory, as far as the enforcer uses one: get, list with paging and existence of
/// a label, create, replace, the three kinds of patch, delete; resource versions, preconditions and
/// finalizers hold. Faults can be injected. Safe for use from many threads.
class FakeCluster : public kube::Api {
 public:
  std::expected<std::string, kube::Error> send(const kube::Request& request) override;
  std::expected<void, kube::Error> stream(const std::string& path,
                                          const std::function<bool(std::string_view)>& on_line,
                                          const std::stop_token& stop) override;

  /// Stores an object at its path, with a new resource version; what is stored.
  nlohmann::json put(const std::string& path, nlohmann::json object);
  /// The object at a path; null if there is none.
  [[nodiscard]] nlohmann::json get(const std::string& path) const;
  void remove(const std::string& path);
  /// The objects of a collection of all namespaces.
  [[nodiscard]] std::vector<nlohmann::json> all(const std::string& path) const;

  /// The next `times` calls of `method` whose path contains `part` fail so.
  void fail(std::string method, std::string part, kube::Error error, int times = 1);
  /// Has `action` called before each call: what others write meanwhile. Empty: no more.
  void before_each_call(std::function<void(const kube::Request&)> action);
  /// What a watch does; without it, it waits for a stop.
  std::function<std::expected<void, kube::Error>(
      const std::string& path, const std::function<bool(std::string_view)>& on_line,
      const std::stop_token& stop)>
      watch;

  /// The calls so far of `method` whose path contains `part`.
  [[nodiscard]] std::vector<kube::Request> requests(std::string_view method = {},
                                                    std::string_view part = {}) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // collection, namespace, name
  struct Target {
    Key key;
    std::string subresource;
  };
  struct Fault {
    std::string method;
    std::string part;
    kube::Error error;
    int times;
  };
  using Answer = std::expected<std::string, kube::Error>;

  static Target target_of(std::string_view path);
  Answer list(const Target& target, std::string_view query) const;
  Answer create(Target target, nlohmann::json object);
  Answer change(const Target& target, const kube::Request& request);
  Answer erase(const Target& target, const std::string& options);
  nlohmann::json store(const Key& key, nlohmann::json object);

  mutable std::mutex mutex_;
  std::function<void(const kube::Request&)> before_;
  std::map<Key, nlohmann::json> objects_;
  std::vector<Fault> faults_;
  std::vector<kube::Request> requests_;
  unsigned long version_ = 100;
};

}  // namespace support
