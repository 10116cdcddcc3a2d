#include "http/pending_request.h"

#include <algorithm>
#include <string>

#include "tests/support/catch.h"

using http::ByteBudget;
using http::PendingRequest;
using http::Turn;

namespace {

const std::string kHead =
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: text/x\r\nContent-Length: 100000\r\n\r\n";

/// Reads `text` on into `pending`, as a connection would.
void read_on(PendingRequest& pending, std::string_view text, Turn& turn) {
  while (!text.empty()) {
    REQUIRE(pending.take_share(pending.bytes().size()));
    const auto room = pending.room(turn);
    REQUIRE_FALSE(room.empty());
    const std::size_t count = std::min(room.size(), text.size());
    std::ranges::copy(text.substr(0, count), room.begin());
    pending.grow_by(count);
    text.remove_prefix(count);
  }
}

}  // namespace

TEST_CASE("A head's views follow the bytes wherever they move", "[http][pending_request]") {
  ByteBudget budget(1'000'000);
  Turn turn;
  PendingRequest pending(budget);
  CHECK_FALSE(pending.begun());
  {
    // What was read first lies in memory that somebody else uses next.
    std::string elsewhere = kHead + "{\"a";
    pending.set_head(http::parse_head(std::string_view(elsewhere).substr(0, kHead.size())).value(),
                     kHead.size());
    REQUIRE(pending.take_share(elsewhere.size()));
    pending.keep(elsewhere, turn);
    std::ranges::fill(elsewhere, '#');
  }
  CHECK(pending.begun());
  CHECK(pending.wanted() == kHead.size() + 100'000);
  read_on(pending, std::string(99'997, 'x'), turn);
  REQUIRE(pending.head());
  CHECK(pending.head()->method == "POST");
  CHECK(pending.head()->path == "/echo");
  CHECK(pending.head()->content_type == "text/x");
  CHECK(pending.bytes() == kHead + "{\"a" + std::string(99'997, 'x'));
}

TEST_CASE("A head that comes in pieces is kept, and what was answered is dropped",
          "[http][pending_request]") {
  ByteBudget budget(1'000'000);
  Turn turn;
  PendingRequest pending(budget);
  REQUIRE(pending.take_share(5));
  pending.keep("GET /", turn);
  CHECK_FALSE(pending.head());
  read_on(pending, std::string(5000, 'a') + " HTTP/1.1\r\n", turn);
  CHECK(pending.bytes().starts_with("GET /aaa"));
  pending.drop(5001);
  CHECK(pending.bytes() == "aaaa HTTP/1.1\r\n");
  pending.clear(turn);
  CHECK_FALSE(pending.begun());
  CHECK(budget.used() == 0);
}

TEST_CASE("The budget is taken as bytes come, not as they are announced",
          "[http][pending_request]") {
  ByteBudget budget(150'000);
  Turn turn;
  PendingRequest pending(budget);
  const std::string text =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7000000\r\n\r\n" + std::string(1000, 'x');
  const std::size_t size = text.size() - 1000;
  pending.set_head(http::parse_head(std::string_view(text).substr(0, size)).value(), size);
  REQUIRE(pending.take_share(text.size()));
  pending.keep(text, turn);
  CHECK(budget.used() == text.size() + 65'536);
  read_on(pending, std::string(80'000, 'x'), turn);
  CHECK(budget.used() <= 150'000);
  CHECK_FALSE(pending.take_share(100'000));
  pending.clear(turn);
  CHECK(budget.used() == 0);
}
