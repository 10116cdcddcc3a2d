#include "annotate/unified_diff.h"

#include <string>
#include <vector>

#include "tests/support/catch.h"

using annotate::Edit;
using annotate::unified_diff;

TEST_CASE("a hunk has three lines around what changes", "[annotate][unified_diff]") {
  const std::string text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  CHECK(unified_diff("f.yaml", text, std::vector<Edit>{{8, 8, "new\n"}}) ==
        "--- a/f.yaml\n+++ b/f.yaml\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+new\n 5\n 6\n 7\n");
  CHECK(unified_diff("f.yaml", text, std::vector<Edit>{{0, 1, "one"}}) ==
        "--- a/f.yaml\n+++ b/f.yaml\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n");
}

TEST_CASE("what is near is one hunk, what is far another, counted on", "[annotate][unified_diff]") {
  std::string text;
  for (int i = 1; i <= 20; ++i) text += std::to_string(i % 10) + "\n";
  const std::string diff =
      unified_diff("f", text, std::vector<Edit>{{2, 2, "a\n"}, {8, 8, "b\n"}, {36, 38, ""}});
  CHECK(diff ==
        "--- a/f\n+++ b/f\n"
        "@@ -1,7 +1,9 @@\n 1\n+a\n 2\n 3\n 4\n+b\n 5\n 6\n 7\n"
        "@@ -16,5 +18,4 @@\n 6\n 7\n 8\n-9\n 0\n");
}

TEST_CASE("two edits of one line are one change", "[annotate][unified_diff]") {
  CHECK(unified_diff("f", "a b c\n", std::vector<Edit>{{0, 1, "A"}, {4, 5, "C"}}) ==
        "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a b c\n+A b C\n");
}

TEST_CASE("a missing line break at the end is told", "[annotate][unified_diff]") {
  CHECK(
      unified_diff("f", "a\nb", std::vector<Edit>{{2, 3, "c"}}) ==
      "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline "
      "at end of file\n");
}

TEST_CASE("without a change there is no diff, and absolute paths lose their first slash",
          "[annotate][unified_diff]") {
  CHECK(unified_diff("f", "a\n", std::vector<Edit>{}).empty());
  CHECK(unified_diff("f", "a\n", std::vector<Edit>{{0, 1, "a"}}).empty());
  CHECK(unified_diff("/tmp/f", "a\n", std::vector<Edit>{{0, 1, "b"}})
            .starts_with("--- a/tmp/f\n+++ b/tmp/f\n"));
}
