#include "http/processors.h"

#include <algorithm>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

using http::available_processors;
using support::TemporaryDirectory;

TEST_CASE("Without a quota the affinity decides", "[http][processors]") {
  const TemporaryDirectory folder;
  const auto self = folder.write("self", "0::/pod\n");
  const unsigned all = available_processors(folder.path(), folder.path() / "none");
  CHECK(all >= 1);
  CHECK(all <= std::max(1U, std::thread::hardware_concurrency()));
  folder.write("pod/cpu.max", "max 100000\n");
  CHECK(available_processors(folder.path(), self) == all);
}

TEST_CASE("A quota of cgroup v2 is rounded up", "[http][processors]") {
  const TemporaryDirectory folder;
  const auto self = folder.write("self", "0::/slice/pod\n");
  folder.write("slice/pod/cpu.max", "50000 100000\n");
  CHECK(available_processors(folder.path(), self) == 1);
  folder.write("slice/pod/cpu.max", "6400000 100000\n");
  const unsigned all = available_processors(folder.path(), self);
  // An ancestor's quota holds, too.
  folder.write("slice/cpu.max", "10000 100000\n");
  CHECK(available_processors(folder.path(), self) == 1);
  CHECK(all >= 1);
}

TEST_CASE("A quota of cgroup v1 is read where the cpu controller is", "[http][processors]") {
  const TemporaryDirectory folder;
  const auto self = folder.write("self", "3:memory:/x\n4:cpu,cpuacct:/docker/a\n");
  folder.write("cpu/docker/a/cpu.cfs_quota_us", "100000\n");
  folder.write("cpu/docker/a/cpu.cfs_period_us", "100000\n");
  CHECK(available_processors(folder.path(), self) == 1);
  folder.write("cpu/docker/a/cpu.cfs_quota_us", "-1\n");
  CHECK(available_processors(folder.path(), self) ==
        available_processors(folder.path(), folder.path() / "none"));
}
