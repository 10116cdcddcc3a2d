#include "http/mailbox.h"

#include <memory>
#include <thread>
#include <vector>

#include <poll.h>

#include "tests/support/catch.h"

namespace {

bool readable(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

}  // namespace

TEST_CASE("A mailbox is readable while there is something in it", "[http][mailbox]") {
  http::Mailbox<std::unique_ptr<int>> mail;
  CHECK_FALSE(readable(mail.descriptor()));
  CHECK(mail.take().empty());
  mail.put(std::make_unique<int>(1));
  mail.put(std::make_unique<int>(2));
  CHECK(readable(mail.descriptor()));
  const auto taken = mail.take();
  REQUIRE(taken.size() == 2);
  CHECK(*taken[0] == 1);
  CHECK(*taken[1] == 2);
  CHECK_FALSE(readable(mail.descriptor()));
}

TEST_CASE("Nothing is lost of what many threads put in", "[http][mailbox]") {
  http::Mailbox<int> mail;
  std::size_t taken = 0;
  {
    constexpr int kThreads = 4;
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&mail] {
        for (int i = 0; i < 1000; ++i) mail.put(i);
      });
    }
    while (taken < 2000) taken += mail.take().size();
  }
  taken += mail.take().size();
  CHECK(taken == 4000);
}
