#include "kube/lease.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/fake_cluster.h"

namespace {

using nlohmann::json;
using support::FakeCluster;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr const char* kLease = "/apis/coordination.k8s.io/v1/namespaces/n/leases/l";

kube::ElectionOptions options(std::string identity) {
  return {.name_space = "n", .name = "l", .identity = std::move(identity)};
}

/// A candidate that only tries when it is told to.
class Candidate {
 public:
  Candidate(FakeCluster& cluster, std::string identity)
      : elector_(cluster, options(std::move(identity)),
                 {.elected = [] {},
                  .failed = [this](const kube::Error& error) { failures.push_back(error); }}) {}

  bool tries(Clock::time_point now) { return elector_.try_once(now); }
  void release() { elector_.release(); }

  std::vector<kube::Error> failures;

 private:
  kube::Elector elector_;
};

}  // namespace

TEST_CASE("The first candidate makes the Lease, and keeps it", "[kube][lease]") {
  FakeCluster cluster;
  Candidate one(cluster, "one");
  Candidate two(cluster, "two");
  const auto now = Clock::now();
  CHECK(one.tries(now));
  const json made = cluster.get(kLease);
  CHECK(made["spec"]["holderIdentity"] == "one");
  CHECK(made["spec"]["leaseDurationSeconds"] == 15);
  CHECK(made["spec"]["leaseTransitions"] == 0);
  CHECK_FALSE(two.tries(now + 1s));
  CHECK(one.tries(now + 2s));
  const json renewed = cluster.get(kLease);
  CHECK(renewed["spec"]["acquireTime"] == made["spec"]["acquireTime"]);
  CHECK(renewed["spec"]["leaseTransitions"] == 0);
  CHECK(two.failures.empty());
}

TEST_CASE("A silent leader's Lease is free after its time, by the other's own clock",
          "[kube][lease]") {
  FakeCluster cluster;
  Candidate one(cluster, "one");
  Candidate two(cluster, "two");
  const auto now = Clock::now();
  CHECK(one.tries(now));
  CHECK_FALSE(two.tries(now + 10s));  // seen first here
  CHECK_FALSE(two.tries(now + 24s));
  CHECK(two.tries(now + 25s));
  CHECK(cluster.get(kLease)["spec"]["holderIdentity"] == "two");
  CHECK(cluster.get(kLease)["spec"]["leaseTransitions"] == 1);
  CHECK_FALSE(one.tries(now + 26s));
}

TEST_CASE("A Lease that was let go is free at once", "[kube][lease]") {
  FakeCluster cluster;
  Candidate one(cluster, "one");
  Candidate two(cluster, "two");
  const auto now = Clock::now();
  CHECK(one.tries(now));
  one.release();
  CHECK(cluster.get(kLease)["spec"]["holderIdentity"].get<std::string>().empty());
  CHECK(two.tries(now + 1s));
  two.release();
  two.release();
  CHECK(cluster.requests("PUT").size() == 3);
}

TEST_CASE("Of two candidates one is refused", "[kube][lease]") {
  FakeCluster cluster;
  Candidate one(cluster, "one");
  Candidate two(cluster, "two");
  const auto now = Clock::now();
  // Between its look and its writing another one is faster.
  bool first = true;
  cluster.before_each_call([&](const kube::Request& request) {
    if (request.method != "POST" || !first) return;
    first = false;
    CHECK(two.tries(now));
  });
  CHECK_FALSE(one.tries(now));
  CHECK(cluster.get(kLease)["spec"]["holderIdentity"] == "two");
  CHECK(one.failures.empty());
}

TEST_CASE("A failure is told, and is no election", "[kube][lease]") {
  FakeCluster cluster;
  cluster.fail("GET", "/leases/", {.status = 403, .message = "forbidden"});
  Candidate one(cluster, "one");
  CHECK_FALSE(one.tries(Clock::now()));
  REQUIRE(one.failures.size() == 1);
  CHECK(one.failures[0].message == "forbidden");
  CHECK(one.tries(Clock::now()));
}

TEST_CASE("A leader renews with one call, and looks only where that fails", "[kube][lease]") {
  FakeCluster cluster;
  Candidate one(cluster, "one");
  const auto now = Clock::now();
  CHECK(one.tries(now));
  CHECK(one.tries(now + 2s));
  CHECK(cluster.requests("GET").size() == 1);
  // Somebody has written to it, and left the holder as it is.
  cluster.put(kLease, cluster.get(kLease));
  CHECK(one.tries(now + 4s));
  CHECK(cluster.requests("GET").size() == 2);
  cluster.fail("PUT", "/leases/", {.status = 500, .message = "broken"});
  CHECK(one.tries(now + 6s));
  CHECK(one.failures.empty());
  // Somebody has deleted it.
  cluster.remove(kLease);
  CHECK(one.tries(now + 8s));
  CHECK(cluster.get(kLease)["spec"]["holderIdentity"] == "one");
}

TEST_CASE("A leader that gets no answer does not look", "[kube][lease]") {
  FakeCluster cluster;
  Candidate one(cluster, "one");
  const auto now = Clock::now();
  CHECK(one.tries(now));
  cluster.fail("PUT", "/leases/", {.message = "no answer"});
  CHECK_FALSE(one.tries(now + 2s));
  CHECK(cluster.requests("GET").size() == 1);
  REQUIRE(one.failures.size() == 1);
  CHECK(one.failures[0].message == "no answer");
  // What was not answered may have been written.
  cluster.put(kLease, cluster.get(kLease));
  CHECK(one.tries(now + 4s));
}

TEST_CASE("A candidate comes when the Lease ends, not a period later", "[kube][lease]") {
  FakeCluster cluster;
  Candidate leader(cluster, "one");
  CHECK(leader.tries(Clock::now()));
  auto slow = options("two");
  slow.retry_period = 5s;
  json lease = cluster.get(kLease);
  lease["spec"]["leaseDurationSeconds"] = 1;
  cluster.put(kLease, lease);
  std::stop_source stop;
  const auto began = Clock::now();
  kube::Elector elector(cluster, slow,
                        {.elected = [&] { stop.request_stop(); }, .failed = [](const auto&) {}});
  CHECK(elector.run(stop.get_token()));
  CHECK(Clock::now() - began >= 1s);
  CHECK(Clock::now() - began < 3s);
}

TEST_CASE("A Lease that somebody has emptied can be taken", "[kube][lease]") {
  FakeCluster cluster;
  cluster.put(kLease, {{"spec", {{"holderIdentity", nullptr}}}});
  Candidate one(cluster, "one");
  CHECK(one.tries(Clock::now()));
}

TEST_CASE("A leader that cannot renew in time gives up, one that is stopped lets go",
          "[kube][lease]") {
  FakeCluster cluster;
  auto quick = options("one");
  quick.lease_duration = 300ms;
  quick.renew_deadline = 200ms;
  quick.retry_period = 20ms;
  std::atomic<bool> elected = false;
  kube::Elector elector(cluster, quick,
                        {.elected = [&] { elected = true; }, .failed = [](const kube::Error&) {}});
  const std::stop_source never;
  SECTION("cannot renew") {
    cluster.fail("PUT", "/leases/", {.status = 500, .message = "broken"}, -1);
    const auto began = Clock::now();
    CHECK_FALSE(elector.run(never.get_token()));
    CHECK(elected);
    CHECK(Clock::now() - began >= 200ms);
  }
  SECTION("another one has it") {
    std::thread thief([&] {
      while (!elected) std::this_thread::sleep_for(1ms);
      json lease = cluster.get(kLease);
      lease["spec"]["holderIdentity"] = "two";
      cluster.put(kLease, lease);
    });
    CHECK_FALSE(elector.run(never.get_token()));
    thief.join();
  }
  SECTION("stopped") {
    std::stop_source stop;
    std::thread stopper([&] {
      while (!elected) std::this_thread::sleep_for(1ms);
      stop.request_stop();
    });
    CHECK(elector.run(stop.get_token()));
    stopper.join();
    CHECK(cluster.get(kLease)["spec"]["holderIdentity"].get<std::string>().empty());
  }
}
