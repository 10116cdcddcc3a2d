#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace kube {

/// A kind of object, as paths have it.
struct Resource {
  std::string_view group;  ///< empty: the core group
  std::string_view version;
  std::string_view plural;
};

inline constexpr Resource kPods{.group = {}, .version = "v1", .plural = "pods"};
inline constexpr Resource kEvents{.group = {}, .version = "v1", .plural = "events"};
inline constexpr Resource kLeases{
    .group = "coordination.k8s.io", .version = "v1", .plural = "leases"};

/// The path of a collection, or of an object in it where `name` is not empty. An empty
/// `name_space`: those of all namespaces.
[[nodiscard]] std::string path_of(const Resource& resource, std::string_view name_space,
                                  std::string_view name = {}, std::string_view subresource = {});

/// `path` with a query of these names and values, which are percent-encoded; empty values are left
/// out.
[[nodiscard]] std::string with_query(
    std::string path, std::initializer_list<std::pair<std::string_view, std::string_view>> query);

}  // namespace kube
