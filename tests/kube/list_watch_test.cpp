#include "kube/list_watch.h"

#include <deque>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/fake_cluster.h"

namespace {

using nlohmann::json;
using support::FakeCluster;
using namespace std::chrono_literals;
using Stream = std::expected<void, kube::Error>;
using OnLine = std::function<bool(std::string_view)>;

constexpr const char* kPath = "/api/v1/pods";

json pod(const std::string& version) {
  return {{"metadata", {{"name", "p"}, {"resourceVersion", version}}}};
}

std::string event(const std::string& type, const json& object) {
  return json{{"type", type}, {"object", object}}.dump();
}

/// Watches with what the cluster's `watch` does, run by run; the last one asks for a stop.
class Watching {
 public:
  FakeCluster cluster;
  std::deque<std::function<Stream(const OnLine&)>> runs;
  std::vector<std::string> paths;  ///< of each run
  std::vector<std::string> told;
  std::vector<kube::Error> failures;
  std::vector<std::chrono::milliseconds> waits;
  kube::WatchOptions options{
      .path = kPath, .label_selector = {}, .first_wait = 2ms, .last_wait = 8ms};

  void run() {
    std::stop_source stop;
    cluster.watch = [&](const std::string& path, const OnLine& on_line, const std::stop_token&) {
      paths.push_back(path);
      if (runs.empty()) {
        stop.request_stop();
        return Stream();
      }
      const auto next = std::move(runs.front());
      runs.pop_front();
      return next(on_line);
    };
    const auto tell = [this](const char* what) {
      return [this, what](const json& object) {
        told.push_back(std::string(what) + " " + object["metadata"].value("name", std::string()));
      };
    };
    kube::list_and_watch(cluster, options,
                         {.list_begins = [this] { told.emplace_back("begin"); },
                          .listed = tell("listed"),
                          .list_ends = [this] { told.emplace_back("end"); },
                          .changed = tell("changed"),
                          .deleted = tell("deleted"),
                          .failed =
                              [this](const kube::Error& error, std::chrono::milliseconds wait) {
                                failures.push_back(error);
                                waits.push_back(wait);
                              }},
                         stop.get_token());
  }
};

std::string version_in(const std::string& path) {
  const std::string key = "resourceVersion=";
  const std::size_t begin = path.find(key) + key.size();
  return path.substr(begin, path.find('&', begin) - begin);
}

}  // namespace

TEST_CASE("A collection is listed page by page, then watched from there", "[kube][list_watch]") {
  Watching watching;
  for (const char* const name : {"a", "b", "c"}) {
    watching.cluster.put("/api/v1/namespaces/n/pods/" + std::string(name), json::object());
  }
  watching.options.page = 2;
  watching.runs.emplace_back([](const OnLine& on_line) {
    on_line(event("ADDED", pod("201")));
    on_line(event("MODIFIED", pod("202")));
    on_line(event("DELETED", pod("203")));
    return Stream();
  });
  watching.run();
  CHECK(watching.told == std::vector<std::string>{"begin", "listed a", "listed b", "listed c",
                                                  "end", "changed p", "changed p", "deleted p"});
  CHECK(watching.cluster.requests("GET").size() == 2);
  REQUIRE(watching.paths.size() == 2);
  CHECK(version_in(watching.paths[0]) == "103");
  CHECK(version_in(watching.paths[1]) == "203");
  CHECK(watching.paths[0].find("watch=true") != std::string::npos);
  CHECK(watching.paths[0].find("allowWatchBookmarks=true") != std::string::npos);
  CHECK(watching.failures.empty());
}

TEST_CASE("A bookmark moves the place to go on from, and is no change", "[kube][list_watch]") {
  Watching watching;
  watching.runs.emplace_back([](const OnLine& on_line) {
    on_line(event("BOOKMARK", {{"metadata", {{"resourceVersion", "900"}}}}));
    return Stream();
  });
  watching.run();
  CHECK(watching.told == std::vector<std::string>{"begin", "end"});
  CHECK(version_in(watching.paths.back()) == "900");
}

TEST_CASE("A watch that is cut goes on where it was, without a list", "[kube][list_watch]") {
  Watching watching;
  watching.runs.emplace_back([](const OnLine& on_line) -> Stream {
    on_line(event("ADDED", pod("205")));
    return std::unexpected(kube::Error{.status = 0, .message = "no answer"});
  });
  watching.run();
  CHECK(watching.cluster.requests("GET").size() == 1);
  CHECK(version_in(watching.paths.back()) == "205");
  REQUIRE(watching.failures.size() == 1);
  CHECK(watching.failures[0].message == "no answer");
}

TEST_CASE("Only where the place is too old is there a new list", "[kube][list_watch]") {
  Watching watching;
  SECTION("refused at once") {
    watching.runs.emplace_back([](const OnLine&) -> Stream {
      return std::unexpected(kube::Error{.status = 410, .message = "too old"});
    });
  }
  SECTION("told by an event") {
    watching.runs.emplace_back([](const OnLine& on_line) {
      CHECK_FALSE(on_line(
          event("ERROR",
                {{"kind", "Status"}, {"code", 410}, {"reason", "Expired"}, {"message", "old"}})));
      return Stream();
    });
  }
  watching.run();
  CHECK(watching.told == std::vector<std::string>{"begin", "end", "begin", "end"});
  REQUIRE(watching.failures.size() == 1);
  CHECK(watching.failures[0].is_gone());
}

TEST_CASE("A list that fails is made again after a time that doubles", "[kube][list_watch]") {
  Watching watching;
  watching.cluster.fail("GET", kPath, {.status = 500, .message = "broken"}, 4);
  watching.run();
  CHECK(watching.cluster.requests("GET").size() == 5);
  REQUIRE(watching.waits.size() == 4);
  CHECK(watching.waits[0] <= 3ms);
  CHECK(watching.waits[3] >= 4ms);
  CHECK(watching.waits[3] <= 12ms);
  CHECK(watching.told.back() == "end");
}

TEST_CASE("The server's wish to wait is kept to", "[kube][list_watch]") {
  Watching watching;
  watching.cluster.fail("GET", kPath, {.status = 429, .message = "slow", .retry_after = 1s});
  const auto began = std::chrono::steady_clock::now();
  watching.run();
  CHECK(watching.waits.at(0) == 1s);
  CHECK(std::chrono::steady_clock::now() - began >= 1s);
}

TEST_CASE("A page that is too old begins the list anew", "[kube][list_watch]") {
  Watching watching;
  for (const char* const name : {"a", "b"}) {
    watching.cluster.put("/api/v1/namespaces/n/pods/" + std::string(name), json::object());
  }
  watching.options.page = 1;
  watching.cluster.fail("GET", "continue=1", {.status = 410, .message = "too old"});
  watching.run();
  CHECK(watching.told ==
        std::vector<std::string>{"begin", "listed a", "begin", "listed a", "listed b", "end"});
}

TEST_CASE("Watches that end at once without news are no hot loop", "[kube][list_watch]") {
  Watching watching;
  for (int i = 0; i < 3; ++i) watching.runs.emplace_back([](const OnLine&) { return Stream(); });
  watching.run();
  REQUIRE(watching.failures.size() == 3);
  CHECK(watching.failures[0].message == "the API server ended a watch at once");
  CHECK(watching.cluster.requests("GET").size() == 1);
}

TEST_CASE("What cannot be read is an error, not a crash", "[kube][list_watch]") {
  Watching watching;
  const std::string line = GENERATE(
      "no json", "[]", R"({"type":"ADDED"})", R"({"object":7})", R"({"type":7,"object":{}})",
      R"({"type":"ADDED","object":{"metadata":{"resourceVersion":7}}})");
  CAPTURE(line);
  watching.runs.emplace_back([line](const OnLine& on_line) {
    on_line(line);
    return Stream();
  });
  watching.run();
  REQUIRE(watching.failures.size() == 1);
  CHECK(watching.failures[0].message == "the API server's watch event cannot be read");
}
