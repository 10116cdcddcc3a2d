#include "cli/progress.h"

#include <iostream>
#include <string>

#include <unistd.h>

namespace cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirst = 300ms;
constexpr auto kStep = 100ms;

}  // namespace

Progress::Progress(std::size_t total)
    : total_(total), terminal_(::isatty(STDERR_FILENO) == 1), next_(Clock::now() + kFirst) {}

void Progress::update(std::size_t done) {
  if (!terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + kStep;
  shown_ = true;
  std::cerr << ("\r" + std::to_string(done) + " of " + std::to_string(total_) + " files\x1B[K")
            << std::flush;
}

void Progress::clear() {
  if (!shown_) return;
  shown_ = false;
  std::cerr << "\r\x1B[K" << std::flush;
}

}  // namespace cli
