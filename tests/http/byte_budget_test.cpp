#include "http/byte_budget.h"

#include "tests/support/catch.h"

using http::BudgetShare;
using http::ByteBudget;

TEST_CASE("A budget gives what it has and no more", "[http][byte_budget]") {
  ByteBudget budget(100);
  CHECK(budget.try_take(60));
  CHECK_FALSE(budget.try_take(41));
  CHECK(budget.used() == 60);
  CHECK_FALSE(budget.exhausted());
  CHECK(budget.try_take(40));
  CHECK(budget.exhausted());
  budget.take(5);  // what has to be kept in any case
  CHECK(budget.used() == 105);
  CHECK_FALSE(budget.try_take(1));
  budget.give_back(105);
  CHECK(budget.used() == 0);
  CHECK_FALSE(budget.exhausted());
}

TEST_CASE("A share grows and shrinks, and is given back with its holder", "[http][byte_budget]") {
  ByteBudget budget(100);
  {
    BudgetShare share(budget);
    BudgetShare other(budget);
    CHECK(share.try_resize(80));
    CHECK_FALSE(other.try_resize(21));
    CHECK(budget.used() == 80);
    CHECK_FALSE(share.try_resize(101));
    CHECK(budget.used() == 80);
    CHECK(share.try_resize(30));
    CHECK(other.try_resize(70));
    other.resize(90);
    CHECK(budget.used() == 120);
    other.resize(10);
    CHECK(budget.used() == 40);
  }
  CHECK(budget.used() == 0);
}
