#include "policies/cel.h"

#include <regex>
#include <string>
#include <vector>

#include "tests/support/catch.h"

using policies::cel_string;
using policies::glob_to_regex;

TEST_CASE("strings of CEL are quoted", "[policies][cel]") {
  CHECK(cel_string("a") == "'a'");
  CHECK(cel_string("it's \\ {\"a\":1}") == "'it\\'s \\\\ {\"a\":1}'");
  CHECK(policies::cel_list(std::vector<std::string>{"a", "b"}) == "['a', 'b']");
  CHECK(policies::cel_list(std::vector<std::string>{}) == "[]");
}

TEST_CASE("globs become regular expressions", "[policies][cel]") {
  CHECK(glob_to_regex("team-*") == "team-.*");
  CHECK(glob_to_regex("a?c.d") == "a.c\\.d");
  CHECK(glob_to_regex("[a-c]x") == "[a-c]x");
  CHECK(glob_to_regex("[!a-c]x") == "[^a-c]x");
  CHECK(glob_to_regex("[]x]") == "[\\]x]");
  CHECK(glob_to_regex("[^x]") == "[\\^x]");
  CHECK(glob_to_regex("a[b") == "a\\[b");
}

TEST_CASE("a code list is matched as its reader takes it", "[policies][cel]") {
  const std::regex list(policies::code_list_regex());
  for (const char* const sound :
       {"42", "1", "255", " 42 ,\t100-110, SIGUSR2,EX_TEMPFAIL", "249", "200-201", "SIGKILL"}) {
    INFO(sound);
    CHECK(std::regex_match(sound, list));
  }
  for (const char* const unsound : {"", "0", "256", "042", "42,", ",42", "4 2", "1 - 2", "sigkill",
                                    "SIGKILL-SIGTERM", "EX_OK", "+1", "-1", "300", "42;43"}) {
    INFO(unsound);
    CHECK_FALSE(std::regex_match(unsound, list));
  }
}

TEST_CASE("all names are in the map of codes", "[policies][cel]") {
  const std::string map = policies::code_names_map();
  CHECK(map.starts_with("{'SIGHUP': 129, "));
  CHECK(map.find("'SIGKILL': 137") != std::string::npos);
  CHECK(map.find("'EX_TEMPFAIL': 75") != std::string::npos);
}
