#include "kube/rate_limiter.h"

#include "tests/support/catch.h"

using Clock = kube::RateLimiter::Clock;
using std::chrono::milliseconds;

TEST_CASE("A burst passes at once, then one call an interval", "[kube][rate_limiter]") {
  kube::RateLimiter limiter(10, 3);
  const Clock::time_point now = Clock::now();
  for (int i = 0; i < 3; ++i) CHECK(limiter.reserve(now) == now);
  CHECK(limiter.reserve(now) == now + milliseconds(100));
  CHECK(limiter.reserve(now) == now + milliseconds(200));
}

TEST_CASE("Tokens come back with time, the burst at most", "[kube][rate_limiter]") {
  kube::RateLimiter limiter(10, 2);
  const Clock::time_point now = Clock::now();
  for (int i = 0; i < 2; ++i) CHECK(limiter.reserve(now) == now);
  const auto later = now + milliseconds(100);
  CHECK(limiter.reserve(later) == later);
  CHECK(limiter.reserve(later) == later + milliseconds(100));
  const auto much_later = now + std::chrono::hours(1);
  for (int i = 0; i < 2; ++i) CHECK(limiter.reserve(much_later) == much_later);
  CHECK(limiter.reserve(much_later) == much_later + milliseconds(100));
}
