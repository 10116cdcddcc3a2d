#include "kube/bearer_token.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

TEST_CASE("A fixed token stays", "[kube][bearer_token]") {
  kube::BearerToken token("abc", {});
  CHECK(token.get() == "abc");
  token.forget();
  CHECK(token.get() == "abc");
  CHECK_FALSE(token.is_file());
}

TEST_CASE("A file is read again once the server refuses what it held", "[kube][bearer_token]") {
  const support::TemporaryDirectory folder;
  const auto file = folder.write("token", "old\n");
  kube::BearerToken token({}, file);
  CHECK(token.get() == "old");
  folder.write("token", "new\n");
  CHECK(token.get() == "old");
  token.forget();
  CHECK(token.get() == "new");
}

TEST_CASE("While a file cannot be read its last token is used", "[kube][bearer_token]") {
  const support::TemporaryDirectory folder;
  const auto file = folder.write("token", "old");
  kube::BearerToken token({}, file);
  CHECK(token.get() == "old");
  std::filesystem::remove(file);
  token.forget();
  CHECK(token.get() == "old");
}
