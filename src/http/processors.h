#pragma once

#include <filesystem>

namespace http {

/// How many processors this process may use at once: those that its affinity allows, and no more
/// than its control group's CPU quota (v1 or v2, its ancestors' too), rounded up. At least 1.
/// `cgroup_root` and `self` are for tests.
[[nodiscard]] unsigned available_processors(
    const std::filesystem::path& cgroup_root = "/sys/fs/cgroup",
    const std::filesystem::path& self = "/proc/self/cgroup");

}  // namespace http
