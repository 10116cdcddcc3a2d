#include "enforcer/retries.h"

#include "tests/support/catch.h"

using enforcer::decode_retries;
using enforcer::Retries;

namespace {

Retries counted() {
  Retries retries{.job = "job-1", .resumed = {}, .replicas = {}};
  retries.add("worker-0", "a", 5);
  retries.add("worker-0", "b", 7);
  retries.add("worker-1", "c", 6);
  return retries;
}

}  // namespace

TEST_CASE("Each pod counts once, for its own replica", "[enforcer][retries]") {
  Retries retries = counted();
  CHECK(retries.count("worker-0") == 2);
  CHECK(retries.count("worker-1") == 1);
  CHECK(retries.count("ps-0") == 0);
  retries.add("worker-0", "b", 7);
  retries.add("worker-0", "b", 9);
  CHECK(retries.count("worker-0") == 2);
  CHECK(retries.has("worker-0", "a", 5));  // older than the last one
  CHECK_FALSE(retries.has("worker-0", "d", 8));
  CHECK_FALSE(retries.has("ps-0", "a", 5));
}

TEST_CASE("The annotation is written in one way, and read back", "[enforcer][retries]") {
  CHECK(encode(counted()) == R"({"version":1,"job":"job-1","replicas":{)"
                             R"("worker-0":{"retries":2,"pod":"b","resourceVersion":"7"},)"
                             R"("worker-1":{"retries":1,"pod":"c","resourceVersion":"6"}}})");
  CHECK(decode_retries(encode(counted()), "job-1", "") == counted());
  Retries resumed = counted();
  resumed.resumed = "2026-12-01T08:00:00Z";
  CHECK(encode(resumed).find(R"("job":"job-1","resumed":"2026-12-01T08:00:00Z")") !=
        std::string::npos);
  CHECK(decode_retries(encode(resumed), "job-1", "2026-12-01T08:00:00Z") == resumed);
}

TEST_CASE("Counts of another job, or of before a suspension, are none", "[enforcer][retries]") {
  const std::string value = encode(counted());
  CHECK(decode_retries(value, "job-2", "") == Retries{"job-2", "", {}});
  CHECK(decode_retries(value, "job-1", "2026-12-01T08:00:00Z") ==
        Retries{"job-1", "2026-12-01T08:00:00Z", {}});
}

TEST_CASE("What cannot be read counts as none", "[enforcer][retries]") {
  for (const char* const value :
       {"", "no json", "[]", R"({"version":2,"job":"job-1","replicas":{}})",
        R"({"version":1,"job":"job-1"})", R"({"version":1,"job":"job-1","replicas":[1]})",
        R"({"version":"1","job":"job-1","replicas":{}})",
        R"({"version":1,"job":"job-1","replicas":{"worker-0":{"retries":"2"}}})"}) {
    CAPTURE(value);
    CHECK(decode_retries(value, "job-1", "") == Retries{"job-1", "", {}});
  }
}
