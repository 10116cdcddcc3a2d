#include "http/processors.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include <sched.h>

namespace http {
namespace {

namespace fs = std::filesystem;

unsigned affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

// "200000 100000", or "max 100000" for no limit.
std::optional<double> quota_v2(const fs::path& group) {
  std::ifstream file(group / "cpu.max");
  double quota = 0;
  double period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

// A quota of -1 is none.
std::optional<double> quota_v1(const fs::path& group) {
  std::ifstream quota_file(group / "cpu.cfs_quota_us");
  std::ifstream period_file(group / "cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (!(quota_file >> quota) || !(period_file >> period) || quota <= 0 || period <= 0) {
    return std::nullopt;
  }
  return quota / period;
}

// The lowest quota of `path` under `root` and of its ancestors.
template <class Quota>
double lowest(const fs::path& root, const fs::path& path, Quota quota) {
  double result = std::numeric_limits<double>::infinity();
  for (fs::path at = path.relative_path();; at = at.parent_path()) {
    result = std::min(result, quota(root / at).value_or(result));
    if (at.empty()) return result;
  }
}

// "0::/system.slice/x" of version 2, "4:cpu,cpuacct:/docker/x" of version 1.
double cgroup_quota(const fs::path& root, const fs::path& self) {
  double result = std::numeric_limits<double>::infinity();
  std::ifstream file(self);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path path = line.substr(second + 1);
    if (controllers == ",,") {
      result = std::min(result, lowest(root, path, quota_v2));
    } else if (controllers.find(",cpu,") != std::string::npos) {
      result = std::min(result, lowest(root / "cpu", path, quota_v1));
    }
  }
  return result;
}

}  // namespace

unsigned available_processors(const fs::path& cgroup_root, const fs::path& self) {
  const unsigned allowed = affinity();
  const double quota = std::ceil(cgroup_quota(cgroup_root, self));
  return quota < allowed ? std::max(1U, static_cast<unsigned>(quota)) : allowed;
}

}  // namespace http
