#include "enforcer/work_queue.h"

#include <algorithm>

namespace enforcer {

void WorkQueue::put(const JobRef& job) {
  if (taken_.contains(job)) {
    again_.insert(job);
  } else if (waiting_.insert(job).second) {
    ready_.emplace(Clock::now(), job);
  }
}

void WorkQueue::add(const JobRef& job) {
  {
    const std::lock_guard lock(mutex_);
    put(job);
  }
  changed_.notify_one();
}

void WorkQueue::add_after(const JobRef& job, Clock::duration delay) {
  {
    const std::lock_guard lock(mutex_);
    const auto due = Clock::now() + delay;
    ++additions_;
    const auto [known, inserted] = delayed_.emplace(job, due);
    if (!inserted) known->second = std::min(known->second, due);
  }
  changed_.notify_one();
}

std::optional<WorkQueue::Clock::time_point> WorkQueue::promote(Clock::time_point now) {
  std::optional<Clock::time_point> next;
  for (auto item = delayed_.begin(); item != delayed_.end();) {
    if (item->second <= now) {
      put(item->first);
      item = delayed_.erase(item);
    } else {
      next = next ? std::min(*next, item->second) : item->second;
      ++item;
    }
  }
  return next;
}

std::optional<JobRef> WorkQueue::take(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto next = promote(Clock::now());
    if (!ready_.empty()) {
      JobRef job = ready_.begin()->second;
      ready_.erase(ready_.begin());
      waiting_.erase(job);
      taken_.insert(job);
      if (!ready_.empty()) changed_.notify_one();
      return job;
    }
    const auto is_new = [this, seen = additions_] { return !ready_.empty() || additions_ != seen; };
    if (next) {
      changed_.wait_until(lock, stop, *next, is_new);
    } else {
      changed_.wait(lock, stop, is_new);
    }
  }
  return std::nullopt;
}

void WorkQueue::done(const JobRef& job) {
  {
    const std::lock_guard lock(mutex_);
    taken_.erase(job);
    if (again_.erase(job) > 0) put(job);
  }
  changed_.notify_one();
}

void WorkQueue::retry(const JobRef& job, Clock::duration least) {
  Clock::duration delay{};
  {
    const std::lock_guard lock(mutex_);
    Clock::duration& known = delays_[job];
    known = std::clamp<Clock::duration>(known * 2, kFirstDelay, kLastDelay);
    delay = std::max(known, least);
  }
  add_after(job, delay);
}

void WorkQueue::succeeded(const JobRef& job) {
  const std::lock_guard lock(mutex_);
  delays_.erase(job);
}

std::size_t WorkQueue::size() const {
  const std::lock_guard lock(mutex_);
  return ready_.size();
}

}  // namespace enforcer
