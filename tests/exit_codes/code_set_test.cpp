#include "exit_codes/code_set.h"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.h"

namespace exit_codes {

TEST_CASE("a code set holds 1 to 255 and nothing else", "[exit_codes][code_set]") {
  const CodeSet all = CodeSet::range(1, 255);
  CHECK(all.size() == 255);
  CHECK(all.contains(1));
  CHECK(all.contains(255));
  for (const std::int64_t code :
       {std::int64_t{0}, std::int64_t{256}, std::int64_t{-1}, std::int64_t{257},
        std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1,
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    CAPTURE(code);
    CHECK_FALSE(all.contains(code));
  }
}

TEST_CASE("inserting what is no exit code throws", "[exit_codes][code_set]") {
  CodeSet set;
  for (const int code : {0, 256, -1, 1000}) {
    CAPTURE(code);
    CHECK_THROWS_AS(set.insert(code), std::out_of_range);
  }
  CHECK_THROWS_WITH(set.insert(256), "exit code 256 is not from 1 to 255");
  CHECK(set.empty());
}

TEST_CASE("values come in ascending order, each once", "[exit_codes][code_set]") {
  CHECK(CodeSet{}.values().empty());
  CHECK(CodeSet{255, 3, 1, 3}.values() == std::vector{1, 3, 255});
}

TEST_CASE("code sets are added, subtracted and intersected", "[exit_codes][code_set]") {
  CodeSet set{1, 2};
  set |= CodeSet{2, 3};
  CHECK(set == CodeSet{1, 2, 3});
  set -= CodeSet{1, 200};
  CHECK(set == CodeSet{2, 3});
  CHECK((set & CodeSet{3, 4}) == CodeSet{3});
  CHECK((set - CodeSet{3, 4}) == CodeSet{2});
  CHECK((set & CodeSet{4}).empty());
  CHECK_FALSE(set == CodeSet{2});
}

TEST_CASE("a range that runs downwards is empty", "[exit_codes][code_set]") {
  CHECK(CodeSet::range(5, 4).empty());
  CHECK(CodeSet::range(5, 5) == CodeSet{5});
}

}  // namespace exit_codes
