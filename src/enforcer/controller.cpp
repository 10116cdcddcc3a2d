#include "enforcer/controller.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "enforcer/job_lists.h"
#include "http/rfc3339.h"
#include "kube/list_watch.h"
#include "kube/path.h"

namespace enforcer {

using nlohmann::json;

Controller::Controller(
    ReconcilerParts parts, kube::Api& watch_api, ControllerOptions options,
    std::function<void(const kube::Error&, std::chrono::milliseconds)> on_watch_error)
    : parts_(parts),
      reconciler_(std::move(parts)),
      watch_api_(watch_api),
      options_(std::move(options)),
      on_watch_error_(std::move(on_watch_error)) {}

Controller::~Controller() { stop(); }

void Controller::start() {
  const std::lock_guard lock(mutex_);
  threads_.emplace_back([this](const std::stop_token& stop) { watch(stop); });
}

void Controller::lead() {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  leads_ = true;
  review_all();
  threads_.emplace_back([this](const std::stop_token& stop) { recall_failed_jobs(stop); });
  for (unsigned i = 0; i < options_.workers; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

void Controller::review_all() {
  if (!leads_) return;
  for (const JobRef& job : parts_.pods.jobs()) queue_.add(job);
}

void Controller::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void Controller::look_at(const WatchedPod& pod) {
  if (leads_) {
    if (reconciler_.concerns(pod)) queue_.add(pod.job);
    return;
  }
  // Looks at all pods: not at every event.
  const auto now = PodStore::Clock::now();
  if (now - forgot_at_ < std::chrono::seconds(1)) return;
  forgot_at_ = now;
  parts_.pods.forget_vanished(now - kRemembered);
}

void Controller::watch(const std::stop_token& stop) {
  const kube::WatchOptions options{.path = kube::path_of(kube::kPods, options_.name_space),
                                   .label_selector = kJobNameLabel};
  const auto update = [this](const json& object) {
    if (const auto pod = parts_.pods.update(object)) look_at(*pod);
  };
  const kube::WatchHandler handler{
      .list_begins = [this] { parts_.pods.begin_list(); },
      .listed = update,
      .list_ends =
          [this] {
            parts_.pods.end_list(PodStore::Clock::now());
            synced_ = true;
          },
      .changed = update,
      .deleted =
          [this](const json& object) {
            if (const auto pod = parts_.pods.remove(object, PodStore::Clock::now())) look_at(*pod);
          },
      .failed = on_watch_error_};
  kube::list_and_watch(watch_api_, options, handler, stop);
}

Controller::Done Controller::reconcile(const JobRef& job) {
  try {
    return reconciler_.reconcile(job);
  } catch (const json::exception& error) {
    // One object that is not as the API has it does not keep the others from being judged.
    return std::unexpected(
        kube::Error{.message = std::string("an unexpected answer: ") + error.what()});
  }
}

void Controller::work(const std::stop_token& stop) {
  while (const auto job = queue_.take(stop)) {
    const auto done = reconcile(*job);
    if (!done) {
      parts_.reporter.api_error("reconcile", done.error());
      queue_.retry(*job, done.error().retry_after.value_or(std::chrono::seconds(0)));
    } else {
      queue_.succeeded(*job);
      if (const auto& again = *done) queue_.add_after(*job, *again);
    }
    queue_.done(*job);
  }
}

void Controller::recall_failed_jobs(const std::stop_token& stop) {
  const std::string since = http::rfc3339(std::chrono::system_clock::now() - FailedJobs::kWatched);
  const auto recall = [&](const JobKind& kind, const json& object) {
    const JobState job = read_job(kind, object);
    if (!job.failed_by_us || job.completion_time < since) return;
    parts_.failed.add(
        job.uid,
        {.pod = std::string(pod_of_message(job.failed_message)), .completed = job.completion_time},
        FailedJobs::Clock::now());
    const json& metadata = object.at("metadata");
    queue_.add({.kind = &kind,
                .name_space = metadata.value("namespace", std::string()),
                .name = metadata.value("name", std::string()),
                .uid = job.uid});
  };
  for (const JobKind& kind : job_kinds()) {
    if (stop.stop_requested()) return;
    const auto listed = for_each_job(parts_.api, kind, options_.name_space,
                                     [&](const json& object) { recall(kind, object); });
    // Without it a pod may be left over; nothing else depends on it.
    if (!listed) parts_.reporter.api_error("list jobs", listed.error());
  }
}

}  // namespace enforcer
