#include "webhook/reloader.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kInterval{5};

/// Replaces a file's bytes at once: a look in between finds the old or the new ones.
void replace(const support::TemporaryDirectory& folder, const std::string& name,
             const std::string& content) {
  std::filesystem::rename(folder.write(name + ".new", content), folder.path() / name);
}

/// Waits until `count` is `wanted`, for 10 s at most; then some intervals more, for it to stay so.
bool settles(const std::atomic<int>& count, int wanted) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (count != wanted && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kInterval);
  }
  std::this_thread::sleep_for(10 * kInterval);
  return count == wanted;
}

}  // namespace

TEST_CASE("a change of bytes is told once, whoever wrote them", "[webhook][reloader]") {
  const support::TemporaryDirectory folder;
  const auto file = folder.write("a", "one");
  std::atomic<int> changes = 0;
  const webhook::Reloader reloader({{.paths = {file}, .on_change = [&] { ++changes; }}}, kInterval);
  CHECK(settles(changes, 0));
  replace(folder, "a", "two");
  CHECK(settles(changes, 1));
  replace(folder, "a", "two");  // a new time of change, the same bytes
  CHECK(settles(changes, 1));
  std::filesystem::remove(file);
  CHECK(settles(changes, 2));
}

TEST_CASE("a swapped symbolic link is a change", "[webhook][reloader]") {
  // As the kubelet updates a mounted Secret: ..data points to another folder.
  const support::TemporaryDirectory folder;
  for (const char* version : {"v1", "v2"}) {
    std::filesystem::create_directory(folder.path() / version);
    folder.write(std::string(version) + "/tls.crt", version);
  }
  std::filesystem::create_symlink("v1", folder.path() / "..data");
  std::filesystem::create_symlink("..data/tls.crt", folder.path() / "tls.crt");
  std::atomic<int> changes = 0;
  const webhook::Reloader reloader(
      {{.paths = {folder.path() / "tls.crt"}, .on_change = [&] { ++changes; }}}, kInterval);
  std::filesystem::create_symlink("v2", folder.path() / "..new");
  std::filesystem::rename(folder.path() / "..new", folder.path() / "..data");
  CHECK(settles(changes, 1));
}

TEST_CASE("bytes that move from one file to the next are a change", "[webhook][reloader]") {
  const support::TemporaryDirectory folder;
  const auto first = folder.write("a", "xy");
  const auto second = folder.write("b", "");
  std::atomic<int> changes = 0;
  {
    const webhook::Reloader reloader({{.paths = {first, second}, .on_change = [&] { ++changes; }}},
                                     milliseconds(50));
    folder.write("a", "x");
    folder.write("b", "y");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (changes == 0 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(kInterval);
    }
  }
  CHECK(changes >= 1);
}

TEST_CASE("groups are told apart", "[webhook][reloader]") {
  const support::TemporaryDirectory folder;
  const auto first = folder.write("a", "1");
  const auto second = folder.write("b", "1");
  std::atomic<int> firsts = 0;
  std::atomic<int> seconds = 0;
  const webhook::Reloader reloader({{.paths = {first}, .on_change = [&] { ++firsts; }},
                                    {.paths = {second}, .on_change = [&] { ++seconds; }}},
                                   kInterval);
  replace(folder, "b", "2");
  CHECK(settles(seconds, 1));
  CHECK(firsts == 0);
}
