#include "enforcer/work_queue.h"

#include <atomic>
#include <thread>

#include "tests/support/catch.h"

using enforcer::JobRef;
using enforcer::WorkQueue;
using namespace std::chrono_literals;
using Clock = WorkQueue::Clock;

namespace {

JobRef job(const std::string& uid) {
  return {.kind = nullptr, .name_space = "n", .name = uid, .uid = uid};
}

/// Takes what is there now; "" if nothing is.
std::string take(WorkQueue& queue) {
  if (queue.size() == 0) return {};
  const auto taken = queue.take({});
  return taken ? taken->uid : std::string();
}

}  // namespace

TEST_CASE("Jobs are taken in the order that they came, each once", "[enforcer][work_queue]") {
  WorkQueue queue;
  queue.add(job("a"));
  queue.add(job("b"));
  queue.add(job("a"));
  CHECK(queue.size() == 2);
  CHECK(take(queue) == "a");
  CHECK(take(queue) == "b");
  CHECK(take(queue).empty());
}

TEST_CASE("A job is never with two workers", "[enforcer][work_queue]") {
  WorkQueue queue;
  queue.add(job("a"));
  CHECK(take(queue) == "a");
  queue.add(job("a"));
  queue.add(job("a"));
  CHECK(take(queue).empty());
  queue.done(job("a"));
  CHECK(take(queue) == "a");
  queue.done(job("a"));
  CHECK(take(queue).empty());
}

TEST_CASE("A job that is added for later comes then", "[enforcer][work_queue]") {
  WorkQueue queue;
  const auto began = Clock::now();
  queue.add_after(job("late"), 10s);
  queue.add_after(job("a"), 60ms);
  queue.add_after(job("a"), 30ms);
  CHECK(queue.size() == 0);
  const auto taken = queue.take({});
  REQUIRE(taken);
  CHECK(taken->uid == "a");
  CHECK(Clock::now() - began >= 30ms);
  queue.done(*taken);
}

TEST_CASE("A job that fails comes back after a time that doubles", "[enforcer][work_queue]") {
  WorkQueue queue;
  for (const auto least : {50ms, 100ms, 200ms}) {
    const auto began = Clock::now();
    queue.retry(job("a"));
    const auto taken = queue.take({});
    CHECK(Clock::now() - began >= least);
    CHECK(Clock::now() - began < least + 1s);
    queue.done(*taken);
  }
  queue.succeeded(job("a"));
  const auto began = Clock::now();
  queue.retry(job("a"));
  queue.done(*queue.take({}));
  CHECK(Clock::now() - began >= 50ms);
  CHECK(Clock::now() - began < 390ms);
}

TEST_CASE("The server's wish to wait is kept to", "[enforcer][work_queue]") {
  WorkQueue queue;
  const auto began = Clock::now();
  queue.retry(job("a"), 300ms);
  queue.done(*queue.take({}));
  CHECK(Clock::now() - began >= 300ms);
}

TEST_CASE("A stop ends the waiting", "[enforcer][work_queue]") {
  WorkQueue queue;
  std::stop_source stop;
  std::atomic<bool> ended = false;
  std::thread worker([&] {
    CHECK_FALSE(queue.take(stop.get_token()));
    ended = true;
  });
  std::this_thread::sleep_for(20ms);
  CHECK_FALSE(ended);
  stop.request_stop();
  worker.join();
  CHECK(ended);
}

TEST_CASE("Many workers take each job once at a time", "[enforcer][work_queue]") {
  WorkQueue queue;
  std::atomic<int> inside = 0;
  std::atomic<int> taken = 0;
  std::atomic<bool> clash = false;
  std::stop_source stop;
  std::vector<std::jthread> workers;
  workers.reserve(4);
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&] {
      while (const auto next = queue.take(stop.get_token())) {
        if (++inside > 1) clash = true;
        ++taken;
        --inside;
        queue.done(*next);
      }
    });
  }
  for (int i = 0; i < 500; ++i) queue.add(job("a"));
  while (queue.size() > 0) std::this_thread::sleep_for(1ms);
  stop.request_stop();
  workers.clear();
  CHECK_FALSE(clash);
  CHECK(taken >= 1);
}
