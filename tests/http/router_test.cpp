#include "http/router.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "http/date.h"
#include "tests/support/catch.h"

namespace {

const std::vector<http::Route>& routes() {
  static const std::vector<http::Route> instance{
      {"POST", "/mutate", "application/json", {}},
      {"GET", "/livez", "", {}},
      {"PUT", "/livez", "", {}},
  };
  return instance;
}

http::Head head_of(std::string_view method, std::string_view path) {
  http::Head head;
  head.method = method;
  head.path = path;
  return head;
}

http::Head post() {
  http::Head head = head_of("POST", "/mutate");
  head.content_type = "application/json";
  head.content_length = 2;
  return head;
}

http::Refusal refusal(const http::Head& head) {
  const auto found = http::find_route(routes(), {}, head);
  REQUIRE_FALSE(found.has_value());
  return found.error();
}

}  // namespace

TEST_CASE("A route is found by method and path", "[http][router]") {
  CHECK(http::find_route(routes(), {}, post()).value() == routes().data());
  CHECK(http::find_route(routes(), {}, head_of("GET", "/livez")).value() == &routes()[1]);
  CHECK(http::find_route(routes(), {}, head_of("HEAD", "/livez")).value() == &routes()[1]);
}

TEST_CASE("A path without route is 404, whatever else is wrong", "[http][router]") {
  http::Head head = head_of("POST", "/mutate/");
  head.chunked = true;
  CHECK(refusal(head).status == 404);
  CHECK(refusal(head).message ==
        "there is nothing at this path; this server answers POST /mutate, GET /livez, PUT /livez");
}

TEST_CASE("A method that the path does not answer is 405 with Allow", "[http][router]") {
  const http::Refusal get = refusal(head_of("GET", "/mutate"));
  CHECK(get.status == 405);
  CHECK(get.message == "this path answers POST only");
  REQUIRE(get.headers.size() == 1);
  CHECK(get.headers[0] == std::pair<std::string, std::string>("Allow", "POST"));
  CHECK(refusal(head_of("DELETE", "/livez")).message == "this path answers GET, HEAD, PUT only");
}

TEST_CASE("A body needs a length", "[http][router]") {
  http::Head head = post();
  head.content_length.reset();
  head.content_type = {};
  CHECK(refusal(head).status == 411);
  CHECK(refusal(head).message == "send the body with a Content-Length, not chunked");
  head.chunked = true;
  CHECK(refusal(head).status == 411);
}

TEST_CASE("A body of more than the limit is 413", "[http][router]") {
  http::Head head = post();
  head.content_length = std::uint64_t{7} * 1024 * 1024;
  CHECK(http::find_route(routes(), {}, head).has_value());
  head.content_length = *head.content_length + 1;
  head.content_type = {};
  CHECK(refusal(head).status == 413);
  CHECK(refusal(head).message == "the body is larger than 7340032 bytes");
}

TEST_CASE("A body must have the route's media type", "[http][router]") {
  const auto [type, fine] = GENERATE(table<std::string, bool>({
      {"application/json", true},
      {"Application/JSON ; charset=utf-8", true},
      {"application/jsonp", false},
      {"text/json", false},
      {"", false},
      {";application/json", false},
  }));
  CAPTURE(type);
  http::Head head = post();
  head.content_type = type;
  CHECK(http::find_route(routes(), {}, head).has_value() == fine);
  if (!fine) {
    CHECK(refusal(head).status == 415);
    CHECK(refusal(head).message == "send the body with Content-Type: application/json");
  }
}

TEST_CASE("A compressed body is 415", "[http][router]") {
  http::Head head = post();
  head.content_encoding = "Identity";
  CHECK(http::find_route(routes(), {}, head).has_value());
  head.content_encoding = "gzip";
  CHECK(refusal(head).status == 415);
  CHECK(refusal(head).message == "send the body as it is, without Content-Encoding");
  REQUIRE(refusal(head).headers.size() == 1);
  CHECK(refusal(head).headers[0] ==
        std::pair<std::string, std::string>("Accept-Encoding", "identity"));
}

TEST_CASE("A refusal is written as a whole reply", "[http][refusal]") {
  const http::Refusal refusal{405, "use POST", {{"Allow", "POST"}}};
  const std::string head =
      "HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain; charset=utf-8\r\n"
      "Content-Length: 9\r\nAllow: POST\r\nDate: " +
      std::string(http::http_date()) + "\r\nConnection: close\r\n\r\n";
  CHECK(http::write_refusal(refusal) == head + "use POST\n");
  CHECK(http::write_refusal(refusal, true) == head);
}

TEST_CASE("Every status that the server gives has a reason phrase", "[http][refusal]") {
  for (const int status : {400, 403, 404, 405, 408, 411, 413, 415, 417, 429, 431, 500, 501, 505}) {
    CAPTURE(status);
    CHECK_FALSE(http::reason_phrase(status).empty());
  }
  CHECK(http::reason_phrase(299).empty());
}
