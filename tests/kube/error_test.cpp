#include "kube/error.h"

#include "tests/support/catch.h"

TEST_CASE("A refusal is told in the API server's words", "[kube][error]") {
  const auto error = kube::error_of(
      404, R"({"kind":"Status","reason":"NotFound","message":"pods \"a\" not found","code":404})");
  CHECK(error.is_not_found());
  CHECK(error.reason == "NotFound");
  CHECK(kube::to_string(error) == "404 NotFound: pods \"a\" not found");
}

TEST_CASE("An answer that is no Status is told as it is, cut", "[kube][error]") {
  CHECK(kube::to_string(kube::error_of(502, "bad gateway")) == "502: bad gateway");
  CHECK(kube::error_of(500, "").message == "no message");
  CHECK(kube::error_of(500, R"({"reason":7,"message":["x"]})").message ==
        R"({"reason":7,"message":["x"]})");
  CHECK(kube::error_of(500, std::string(1000, 'x')).message.size() == 200);
}

TEST_CASE("Where no answer came there is no status", "[kube][error]") {
  CHECK(kube::to_string({.status = 0, .message = "no connection"}) == "no connection");
}

TEST_CASE("What may succeed later is known", "[kube][error]") {
  for (const int status : {0, 408, 429, 500, 503}) {
    CAPTURE(status);
    CHECK(kube::Error{.status = status}.is_transient());
  }
  for (const int status : {400, 401, 403, 404, 409, 410, 422}) {
    CAPTURE(status);
    CHECK_FALSE(kube::Error{.status = status}.is_transient());
  }
  CHECK(kube::Error{.status = 409}.is_conflict());
  CHECK(kube::Error{.status = 410}.is_gone());
}
