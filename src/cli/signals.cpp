#include "cli/signals.h"

#include <ctime>

namespace cli {

sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void wait_for(const sigset_t& signals) {
  int signal = 0;
  sigwait(&signals, &signal);
}

void wait_for(const sigset_t& signals, std::chrono::milliseconds limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  timespec timeout{};
  timeout.tv_sec = static_cast<std::time_t>(seconds.count());
  timeout.tv_nsec = std::chrono::nanoseconds(limit - seconds).count();
  sigtimedwait(&signals, nullptr, &timeout);
}

}  // namespace cli
