#include "kube/lease.h"

#include <algorithm>
#include <random>
#include <utility>

#include <nlohmann/json.hpp>

#include "http/rfc3339.h"
#include "kube/path.h"
#include "kube/wait.h"

namespace kube {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

long whole_seconds(std::chrono::milliseconds time) {
  return std::max<long>(1, std::chrono::ceil<std::chrono::seconds>(time).count());
}

}  // namespace

Elector::Elector(Api& api, ElectionOptions options, ElectionHandler handler)
    : api_(api), options_(std::move(options)), handler_(std::move(handler)) {}

bool Elector::run(const std::stop_token& stop) {
  std::minstd_rand random(std::random_device{}());
  std::uniform_real_distribution<double> factor(1.0, 1.2);
  while (!try_once(Clock::now())) {
    const std::chrono::duration<double, std::milli> regular =
        options_.retry_period * factor(random);
    if (!wait_for(stop, candidate_wait(std::chrono::ceil<std::chrono::milliseconds>(regular),
                                       Clock::now()))) {
      return true;
    }
  }
  handler_.elected();
  auto renewed = Clock::now();
  while (wait_for(stop, options_.retry_period)) {
    const auto now = Clock::now();
    if (try_once(now)) {
      renewed = now;
    } else if (Clock::now() - renewed >= options_.renew_deadline ||
               (seen_ && seen_->holder != options_.identity)) {
      return false;
    }
  }
  release();
  return true;
}

std::chrono::milliseconds Elector::candidate_wait(std::chrono::milliseconds regular,
                                                  Clock::time_point now) const {
  if (!seen_ || seen_->holder.empty()) return regular;
  const auto end = std::chrono::ceil<std::chrono::milliseconds>(seen_->at + seen_->duration - now);
  return end > std::chrono::milliseconds::zero() ? std::min(regular, end) : regular;
}

bool Elector::try_once(Clock::time_point now) {
  // What this candidate wrote last is most probably still there: one call instead of two.
  if (seen_ && seen_->holder == options_.identity) {
    const auto error = write(options_.identity, now);
    if (!error) return true;
    // Looking would only use up the time until others lead.
    if (error->status == 0) {
      handler_.failed(*error);
      return false;
    }
  }
  if (const auto error = look(now); error && !error->is_not_found()) {
    handler_.failed(*error);
    return false;
  }
  const bool mine = seen_ && seen_->holder == options_.identity;
  const bool free = !seen_ || seen_->holder.empty() || now - seen_->at >= seen_->duration;
  if (!mine && !free) return false;
  const auto error = write(options_.identity, now);
  // Another candidate was faster: no failure.
  if (error && !error->is_conflict()) handler_.failed(*error);
  return !error;
}

void Elector::release() {
  if (!seen_ || seen_->holder != options_.identity) return;
  if (const auto error = write({}, Clock::now())) handler_.failed(*error);
}

std::optional<Error> Elector::look(Clock::time_point now) {
  const auto answer = api_.send({.path = path_of(kLeases, options_.name_space, options_.name)});
  if (!answer) {
    if (answer.error().is_not_found()) seen_.reset();
    return answer.error();
  }
  const json lease = json::parse(*answer, nullptr, false);
  if (!lease.is_object() || !lease.contains("metadata")) {
    return Error{.message = "the Lease cannot be read"};
  }
  const std::string version = lease["metadata"].value("resourceVersion", std::string());
  if (seen_ && seen_->version == version) return std::nullopt;
  const json spec = lease.value("spec", json::object());
  Seen seen{.version = version,
            .holder = {},
            .transitions = 0,
            .acquired = {},
            .duration = options_.lease_duration,
            .at = now};
  const auto present = [&spec](const char* key) {
    return spec.contains(key) && !spec[key].is_null();
  };
  if (present("holderIdentity")) seen.holder = spec["holderIdentity"].get<std::string>();
  if (present("leaseTransitions")) seen.transitions = spec["leaseTransitions"].get<int>();
  if (present("acquireTime")) seen.acquired = spec["acquireTime"].get<std::string>();
  if (present("leaseDurationSeconds")) {
    seen.duration = std::chrono::seconds(spec["leaseDurationSeconds"].get<long>());
  }
  seen_ = std::move(seen);
  return std::nullopt;
}

std::optional<Error> Elector::write(const std::string& holder, Clock::time_point now) {
  const std::string time = http::rfc3339_micros(std::chrono::system_clock::now());
  const bool renews = seen_ && seen_->holder == options_.identity;
  const int before = seen_ ? seen_->transitions : 0;
  json spec{{"holderIdentity", holder},
            // As client-go lets go: the next one need not wait.
            {"leaseDurationSeconds", holder.empty() ? 1 : whole_seconds(options_.lease_duration)},
            {"renewTime", time},
            {"acquireTime", renews && !seen_->acquired.empty() ? seen_->acquired : time},
            {"leaseTransitions", renews || !seen_ ? before : before + 1}};
  json lease{{"apiVersion", "coordination.k8s.io/v1"},
             {"kind", "Lease"},
             {"metadata", {{"name", options_.name}, {"namespace", options_.name_space}}},
             {"spec", std::move(spec)}};
  Request request{.method = "POST", .path = path_of(kLeases, options_.name_space), .body = {}};
  if (seen_) {
    request.method = "PUT";
    request.path = path_of(kLeases, options_.name_space, options_.name);
    lease["metadata"]["resourceVersion"] = seen_->version;
  }
  request.body = lease.dump();
  const auto answer = api_.send(request);
  if (!answer) return answer.error();
  const json stored = json::parse(*answer, nullptr, false);
  std::string version;
  if (stored.is_object() && stored.contains("metadata")) {
    version = stored["metadata"].value("resourceVersion", std::string());
  }
  seen_ = Seen{.version = std::move(version),
               .holder = holder,
               .transitions = lease["spec"]["leaseTransitions"].get<int>(),
               .acquired = lease["spec"]["acquireTime"].get<std::string>(),
               .duration = options_.lease_duration,
               .at = now};
  return std::nullopt;
}

}  // namespace kube
