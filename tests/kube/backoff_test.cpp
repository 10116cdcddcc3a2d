#include "kube/backoff.h"

#include "tests/support/catch.h"

using std::chrono::milliseconds;

TEST_CASE("Waiting times double up to the last, with jitter", "[kube][backoff]") {
  kube::Backoff backoff(milliseconds(100), milliseconds(400));
  for (const int base : {100, 200, 400, 400, 400}) {
    const auto wait = backoff.next();
    CAPTURE(base);
    CHECK(wait >= milliseconds(base / 2));
    CHECK(wait <= milliseconds(base * 3 / 2));
  }
  backoff.reset();
  CHECK(backoff.next() <= milliseconds(150));
}

TEST_CASE("Two clients do not wait alike", "[kube][backoff]") {
  kube::Backoff backoff(milliseconds(100'000), milliseconds(100'000));
  const auto first = backoff.next();
  bool differs = false;
  for (int i = 0; i < 20; ++i) differs = differs || backoff.next() != first;
  CHECK(differs);
}
