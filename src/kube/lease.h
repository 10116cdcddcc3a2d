#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "kube/api.h"

namespace kube {

/// How leaders are elected. The times are client-go's defaults.
struct ElectionOptions {
  std::string name_space;
  std::string name;
  std::string identity;                              ///< of this candidate; no other has it
  std::chrono::milliseconds lease_duration{15'000};  ///< how long others wait for a silent leader
  std::chrono::milliseconds renew_deadline{10'000};  ///< after which a leader gives up
  std::chrono::milliseconds retry_period{2'000};     ///< between attempts
};

/// What a candidate is told.
struct ElectionHandler {
  std::function<void()> elected;
  /// An attempt failed; it is made again.
  std::function<void(const Error& error)> failed;
};

/// Leader election by a Lease (coordination.k8s.io/v1). Times of others are not believed: a lease
/// has ended when it has not changed for `lease_duration` by this process's own clock. Writes carry
/// the resource version, so that of two candidates one is refused. A
/// candidate tries when the lease that it sees ends, at the latest, so that with the default times
/// another one leads within 18 seconds. Source: client-go's leaderelection package, which waits up
/// to 2.2 times the retry period between two attempts. For one thread.
class Elector {
 public:
  Elector(Api& api, ElectionOptions options, ElectionHandler handler);

  /// Waits to be elected, then renews. Returns when a stop is asked for (true; the lease is let go
  /// so that another need not wait), or when it could not be renewed in time (false).
  bool run(const std::stop_token& stop);

  /// One attempt to get or to keep the lease; whether this candidate leads now.
  bool try_once(std::chrono::steady_clock::time_point now);

  /// Lets the lease go, if this candidate leads.
  void release();

 private:
  struct Seen {
    std::string version;  ///< resource version
    std::string holder;
    int transitions = 0;
    std::string acquired;  ///< acquireTime
    std::chrono::milliseconds duration{};
    std::chrono::steady_clock::time_point at{};  ///< when this version was first seen
  };

  /// How long a candidate waits: `regular`, or until the lease that it sees ends.
  [[nodiscard]] std::chrono::milliseconds candidate_wait(
      std::chrono::milliseconds regular, std::chrono::steady_clock::time_point now) const;
  std::optional<Error> look(std::chrono::steady_clock::time_point now);
  /// Writes the lease over what was seen; `holder` is empty where it is let go.
  std::optional<Error> write(const std::string& holder, std::chrono::steady_clock::time_point now);

  Api& api_;
  ElectionOptions options_;
  ElectionHandler handler_;
  std::optional<Seen> seen_;
};

}  // namespace kube
