#include "enforcer/pod_store.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace enforcer {
namespace {

std::string uid_of(const nlohmann::json& object) {
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return {};
  return metadata->value("uid", std::string());
}

}  // namespace

std::optional<WatchedPod> PodStore::put(const nlohmann::json& object) {
  const auto known = entries_.find(uid_of(object));
  auto pod = read_pod(object, known == entries_.end() ? nullptr : &known->second.pod);
  if (pod && pod->uid.empty()) pod.reset();
  // It has lost its owner, or what we held it by.
  if (known != entries_.end() && (!pod || pod->job != known->second.pod.job)) erase(known);
  if (!pod) return std::nullopt;
  Entry& entry = entries_[pod->uid];
  entry.pod = *pod;
  entry.listed = true;
  entry.vanished.reset();
  by_job_[pod->job.uid].insert(pod->uid);
  return pod;
}

PodStore::Entries::iterator PodStore::erase(Entries::iterator entry) {
  const auto job = by_job_.find(entry->second.pod.job.uid);
  job->second.erase(entry->first);
  if (job->second.empty()) by_job_.erase(job);
  return entries_.erase(entry);
}

void PodStore::vanish(Entries::iterator entry, Clock::time_point now) {
  if (!entry->second.pod.end || entry->second.judged) {
    erase(entry);
    return;
  }
  entry->second.vanished = now;
  entry->second.pod.held = false;
}

std::optional<WatchedPod> PodStore::update(const nlohmann::json& object) {
  const std::lock_guard lock(mutex_);
  return put(object);
}

std::optional<WatchedPod> PodStore::remove(const nlohmann::json& object, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  auto pod = put(object);
  if (pod) {
    pod->held = false;
    vanish(entries_.find(pod->uid), now);
  }
  return pod;
}

void PodStore::begin_list() {
  const std::lock_guard lock(mutex_);
  for (auto& [uid, entry] : entries_) entry.listed = false;
}

void PodStore::end_list(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto current = entry++;
    if (!current->second.listed && !current->second.vanished) vanish(current, now);
  }
}

std::vector<WatchedPod> PodStore::pods_of(const std::string& job_uid) const {
  const std::lock_guard lock(mutex_);
  std::vector<WatchedPod> pods;
  const auto job = by_job_.find(job_uid);
  if (job == by_job_.end()) return pods;
  pods.reserve(job->second.size());
  for (const std::string& uid : job->second) pods.push_back(entries_.at(uid).pod);
  return pods;
}

std::vector<WatchedPod> PodStore::unjudged(const std::string& job_uid) const {
  std::vector<WatchedPod> pods = pods_of(job_uid);
  std::erase_if(pods, [this](const WatchedPod& pod) { return !pod.end || is_judged(pod.uid); });
  std::ranges::sort(pods, {}, [](const WatchedPod& pod) { return pod.end->version; });
  return pods;
}

bool PodStore::is_judged(const std::string& pod_uid) const {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(pod_uid);
  return entry != entries_.end() && entry->second.judged;
}

void PodStore::set_judged(const std::string& pod_uid) {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(pod_uid);
  if (entry == entries_.end()) return;
  entry->second.judged = true;
  if (entry->second.vanished) erase(entry);
}

std::vector<JobRef> PodStore::jobs() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobRef> refs;
  refs.reserve(by_job_.size());
  for (const auto& [job, pods] : by_job_) refs.push_back(entries_.at(*pods.begin()).pod.job);
  return refs;
}

void PodStore::forget_vanished(Clock::time_point before) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto current = entry++;
    const std::optional<Clock::time_point>& vanished = current->second.vanished;
    if (vanished && *vanished < before) erase(current);
  }
}

std::size_t PodStore::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::size_t PodStore::held() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(entries_, [](const auto& item) { return item.second.pod.held; }));
}

}  // namespace enforcer
