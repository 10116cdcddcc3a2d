#include "http/thread_group.h"

#include <memory>
#include <utility>

namespace http {
namespace {

// Enough for a handler that reads deeply nested JSON; a thousand connections are to fit in a
// small container's limits all the same.
constexpr std::size_t kStackSize = std::size_t{1024} * 1024;

}  // namespace

struct ThreadGroup::Start {
  ThreadGroup& group;
  std::move_only_function<void()> body;
};

ThreadGroup::~ThreadGroup() { join_all(); }

void* ThreadGroup::run(void* start) {
  std::unique_ptr<Start> own(static_cast<Start*>(start));
  ThreadGroup& group = own->group;
  own->body();
  own.reset();
  const std::lock_guard lock(group.mutex_);
  group.finished_.push_back(::pthread_self());
  --group.running_;
  group.ended_.notify_all();
  return nullptr;
}

bool ThreadGroup::start(std::move_only_function<void()> body) {
  join_finished();
  auto start = std::make_unique<Start>(*this, std::move(body));
  {
    const std::lock_guard lock(mutex_);
    ++running_;
  }
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackSize);
  pthread_t thread{};
  Start* const handed_over = start.release();  // the thread's own, unless there is none
  const int failed = ::pthread_create(&thread, &attributes, run, handed_over);
  ::pthread_attr_destroy(&attributes);
  if (failed == 0) return true;
  start.reset(handed_over);
  const std::lock_guard lock(mutex_);
  --running_;
  return false;
}

std::size_t ThreadGroup::size() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

bool ThreadGroup::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return ended_.wait_until(lock, deadline, [this] { return running_ == 0; });
}

void ThreadGroup::join_finished() {
  std::vector<pthread_t> finished;
  {
    const std::lock_guard lock(mutex_);
    finished.swap(finished_);
  }
  for (const pthread_t thread : finished) static_cast<void>(::pthread_join(thread, nullptr));
}

void ThreadGroup::join_all() {
  {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
  }
  join_finished();
}

}  // namespace http
