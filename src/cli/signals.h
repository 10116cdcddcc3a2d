#pragma once

#include <chrono>
#include <csignal>

namespace cli {

/// Blocks SIGTERM and SIGINT for this thread and all that it starts: they are waited for, not
/// handled. Gives both.
[[nodiscard]] sigset_t block_signals();

/// Waits for one of `signals`.
void wait_for(const sigset_t& signals);

/// Waits for one of `signals`, at most for `limit`.
void wait_for(const sigset_t& signals, std::chrono::milliseconds limit);

}  // namespace cli
