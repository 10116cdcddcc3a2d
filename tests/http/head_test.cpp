#include "http/head.h"

#include <limits>
#include <string>
#include <string_view>
#include <tuple>

#include "tests/support/catch.h"

namespace {

using namespace std::string_view_literals;

std::string with(std::string_view fields, std::string_view line = "POST /mutate HTTP/1.1") {
  std::string head(line);
  return head.append("\r\nHost: webhook\r\n").append(fields).append("\r\n");
}

// "400: message" of a head that is refused, "fine" for one that is not.
std::string refusal(std::string_view head) {
  const auto result = http::parse_head(head);
  if (result) return "fine";
  return std::to_string(result.error().status) + ": " + result.error().message;
}

http::Head parsed(std::string_view head) {
  const auto result = http::parse_head(head);
  REQUIRE(result.has_value());
  return *result;
}

}  // namespace

TEST_CASE("A head gives method, path, type and length", "[http][head]") {
  const std::string text = with(
      "Content-Type: application/json; charset=utf-8\r\nContent-Length: 12\r\n"
      "Content-Encoding: identity\r\nX-Content-Length: 99\r\nContent_Length: 98\r\n",
      "POST /mutate?timeout=5s HTTP/1.1");
  const http::Head head = parsed(text);
  CHECK(head.method == "POST");
  CHECK(head.path == "/mutate");
  CHECK(head.content_type == "application/json; charset=utf-8");
  CHECK(head.content_encoding == "identity");
  CHECK(head.content_length == 12);
  CHECK_FALSE(head.chunked);
  CHECK_FALSE(head.http_1_0);
  CHECK(head.keep_alive);
  CHECK_FALSE(head.expect_continue);
}

TEST_CASE("Names of fields are read in any case, with and without blanks before values",
          "[http][head]") {
  const std::string text =
      "POST / HTTP/1.1\r\nHOST:w\r\ncontent-LENGTH: \t 7 \t\r\nexpect:100-Continue\r\n\r\n";
  const http::Head head = parsed(text);
  CHECK(head.content_length == 7);
  CHECK(head.expect_continue);
}

TEST_CASE("A length too high for any number is the highest one", "[http][head]") {
  const std::string text = with("Content-Length: 99999999999999999999999\r\n");
  CHECK(parsed(text).content_length == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("Absolute-form targets are taken by their path", "[http][head]") {
  const auto [target, path] = GENERATE(table<std::string, std::string>({
      {"http://webhook.ns.svc/mutate", "/mutate"},
      {"HTTPS://webhook:8443/mutate?timeout=5s", "/mutate"},
      {"https://webhook", "/"},
      {"https://webhook?x=/y", "/"},
      {"/a%2Fb", "/a%2Fb"},
      {"//double", "//double"},
  }));
  const std::string text = with("", "GET " + target + " HTTP/1.1");
  CHECK(parsed(text).path == path);
}

TEST_CASE("An asterisk is a target for OPTIONS only", "[http][head]") {
  CHECK(parsed(with("", "OPTIONS * HTTP/1.1")).method == "OPTIONS");
  CHECK(refusal(with("", "GET * HTTP/1.1")) == "400: the request target must begin with '/'");
}

TEST_CASE("Connections are kept from HTTP/1.1 on, unless the client says close", "[http][head]") {
  const auto [line, fields, keep] = GENERATE(table<std::string, std::string, bool>({
      {"GET / HTTP/1.1", "", true},
      {"GET / HTTP/1.1", "Connection: close\r\n", false},
      {"GET / HTTP/1.1", "connection: foo , CLOSE\r\n", false},
      {"GET / HTTP/1.1", "Connection: close\r\nConnection: keep-alive\r\n", false},
      {"GET / HTTP/1.1", "Connection: closed\r\n", true},
      {"GET / HTTP/1.2", "", true},
      {"GET / HTTP/1.0", "", false},
      {"GET / HTTP/1.0", "Connection: Keep-Alive\r\n", true},
  }));
  CAPTURE(line, fields);
  CHECK(parsed(with(fields, line)).keep_alive == keep);
}

TEST_CASE("HTTP/1.0 needs no Host, and its Expect is ignored", "[http][head]") {
  const http::Head head = parsed("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n");
  CHECK(head.http_1_0);
  CHECK_FALSE(head.expect_continue);
}

TEST_CASE("Chunked bodies are told of", "[http][head]") {
  CHECK(parsed(with("Transfer-Encoding: Chunked\r\n")).chunked);
}

TEST_CASE("What two readers could read differently is refused", "[http][head]") {
  const auto [fields, message] = GENERATE(table<std::string, std::string>({
      {"Content-Length: 1\r\nContent-Length: 1\r\n", "400: Content-Length is given twice"},
      {"Content-Length: 1, 1\r\n", "400: Content-Length must be one decimal number"},
      {"Content-Length: +1\r\n", "400: Content-Length must be one decimal number"},
      {"Content-Length: -1\r\n", "400: Content-Length must be one decimal number"},
      {"Content-Length: 0x10\r\n", "400: Content-Length must be one decimal number"},
      {"Content-Length:\r\n", "400: Content-Length must be one decimal number"},
      {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
       "400: Transfer-Encoding does not go with Content-Length, nor with HTTP/1.0"},
      {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
       "400: Transfer-Encoding is given twice"},
      {"Transfer-Encoding: gzip, chunked\r\n",
       "501: this server does not know the Transfer-Encoding of the request"},
      {"Transfer-Encoding: identity\r\n",
       "501: this server does not know the Transfer-Encoding of the request"},
      {"Content-Type: a/b\r\nContent-Type: a/b\r\n", "400: Content-Type is given twice"},
      {"Content-Encoding:\r\nContent-Encoding: gzip\r\n", "400: Content-Encoding is given twice"},
      {"Host: other\r\n", "400: Host is given twice"},
      {" folded: yes\r\n", "400: a header field is folded over two lines; write it on one"},
      {"X: 1\r\n\tmore\r\n", "400: a header field is folded over two lines; write it on one"},
      {"Content-Length : 5\r\n", "400: a header line is not \"Name: value\""},
      {"Content Length: 5\r\n", "400: a header line is not \"Name: value\""},
      {": 5\r\n", "400: a header line is not \"Name: value\""},
      {"no colon\r\n", "400: a header line is not \"Name: value\""},
      {"X: a\rb\r\n", "400: a header line has a CR or LF within"},
      {"X: a\nContent-Length: 5\r\n", "400: a header line has a CR or LF within"},
      {std::string("X: a\0b\r\n"sv), "400: a header field has a control character in its value"},
      {"X: a\x7f\r\n", "400: a header field has a control character in its value"},
      {"Expect: 200-ok\r\n", "417: the only expectation that this server meets is 100-continue"},
  }));
  CAPTURE(fields);
  CHECK(refusal(with(fields)) == message);
}

TEST_CASE("Request lines are read strictly", "[http][head]") {
  const auto [line, message] = GENERATE(table<std::string, std::string>({
      {"GET /", "400: the request line is not \"METHOD /path HTTP/1.1\""},
      {"GET", "400: the request line is not \"METHOD /path HTTP/1.1\""},
      {"GET / http/1.1", "400: the request line is not \"METHOD /path HTTP/1.1\""},
      {"GET / HTTP/1.1 ", "400: the request line is not \"METHOD /path HTTP/1.1\""},
      {"GET / HTTP/11", "400: the request line is not \"METHOD /path HTTP/1.1\""},
      {"GET  / HTTP/1.1", "400: the request target has characters that must be percent-encoded"},
      {"GET /a b HTTP/1.1", "400: the request target has characters that must be percent-encoded"},
      {"GET /\xc3\xa9 HTTP/1.1",
       "400: the request target has characters that must be percent-encoded"},
      {"GET /#top HTTP/1.1", "400: the request target has characters that must be percent-encoded"},
      {"GET mutate HTTP/1.1", "400: the request target must begin with '/'"},
      {"GET https:///mutate HTTP/1.1", "400: the request target has no host behind its scheme"},
      {"(GET) / HTTP/1.1", "400: the request line does not begin with a method"},
      {"get / HTTP/1.1", "501: this server does not know the method of the request"},
      {"BREW / HTTP/1.1", "501: this server does not know the method of the request"},
      {"CONNECT webhook:443 HTTP/1.1", "501: this server does not know the method of the request"},
      {"PRI * HTTP/2.0", "505: this server speaks HTTP/1.1 only"},
      {"GET / HTTP/0.9", "505: this server speaks HTTP/1.1 only"},
  }));
  CAPTURE(line);
  CHECK(refusal(with("", line)) == message);
}

TEST_CASE("HTTP/1.1 needs a Host, be it empty", "[http][head]") {
  CHECK(refusal("GET / HTTP/1.1\r\n\r\n") == "400: there is no Host field");
  CHECK(refusal("GET / HTTP/1.1\r\nHost:\r\n\r\n") == "fine");
}

TEST_CASE("A head without its empty line is none", "[http][head]") {
  CHECK(refusal("") == "400: the head does not end with an empty line");
  CHECK(refusal("GET / HTTP/1.1\r\nHost: a\r\n") ==
        "400: the head does not end with an empty line");
  CHECK(refusal("\r\n") == "400: the request line is not \"METHOD /path HTTP/1.1\"");
}

TEST_CASE("The end of a head is found, wherever the bytes were cut", "[http][head]") {
  const std::string head = with("Content-Length: 3\r\n");
  for (std::size_t size = 0; size < head.size(); ++size) {
    CAPTURE(size);
    CHECK(http::find_head_end(std::string_view(head).substr(0, size)).value() == 0);
  }
  CHECK(http::find_head_end(head).value() == head.size());
  CHECK(http::find_head_end(head + "abc\r\n\r\n").value() == head.size());
}

TEST_CASE("Bytes that become no head are refused before its end", "[http][head]") {
  const auto bare = http::find_head_end("GET / HTTP/1.1\n");
  REQUIRE_FALSE(bare.has_value());
  CHECK(bare.error().status == 400);
  CHECK(bare.error().message == "a header line ends with LF, not CR LF");
  const auto tls = http::find_head_end("\x16\x03\x01");
  REQUIRE_FALSE(tls.has_value());
  CHECK(tls.error().status == 400);
  CHECK(tls.error().message ==
        "the request line does not begin with a method; is it plain HTTP that you speak?");
}
