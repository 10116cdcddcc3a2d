// What is said of training-operator 1.9 is what was measured on it: docs/operator-behaviour.md,
// which the end-to-end tests write.

#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "operators/operator.h"
#include "tests/support/catch.h"
#include "tests/support/manifest.h"

using operators::Response;

namespace {

/// What the operator did, as the page's last column has it.
std::optional<Response> measured(const std::string& cell) {
  if (cell.starts_with("the job fails")) return Response::fails;
  if (cell.starts_with("the pod is deleted and created anew")) return Response::retries;
  return std::nullopt;
}

struct Row {
  std::string end;
  Response response;
};

std::vector<Row> rows() {
  std::istringstream page(support::read_file(PROJECT_DIR "/docs/operator-behaviour.md"));
  std::vector<Row> all;
  for (std::string line; std::getline(page, line);) {
    std::vector<std::string> cells;
    for (std::size_t at = 0; line.compare(at, 2, "| ") == 0;) {
      const std::size_t end = line.find(" |", at + 2);
      if (end == std::string::npos) break;
      cells.push_back(line.substr(at + 2, end - at - 2));
      at = end + 1;
    }
    if (cells.size() != 3) continue;
    const auto response = measured(cells[2]);
    if (response) all.push_back({cells[0], *response});
  }
  return all;
}

}  // namespace

TEST_CASE("training-operator 1.9 does what was measured", "[operators][measured]") {
  const auto behaviour =
      operators::behaviour_of(**operators::find_operator("training-operator/1.9"),
                              *jobs::find_kind("kubeflow.org", "v1", "TFJob"));
  REQUIRE(behaviour.has_value());
  constexpr std::string_view kCode = "exit code ";
  std::size_t codes = 0;
  bool has_oom = false;
  bool has_missing = false;
  for (const Row& row : rows()) {
    INFO(row.end);
    if (row.end.starts_with(kCode) &&
        row.end.find_first_not_of("0123456789", kCode.size()) == std::string::npos) {
      CHECK(behaviour->on_code(std::stoi(row.end.substr(kCode.size()))) == row.response);
      ++codes;
    } else if (row.end == "exit code 137, container reason OOMKilled") {
      CHECK_FALSE(behaviour->reads_oom_killed);
      CHECK(behaviour->on_code(137) == row.response);
      has_oom = true;
    } else if (row.end == "pod reason Evicted, no container status") {
      CHECK(behaviour->no_exit_code == row.response);
      has_missing = true;
    }
  }
  CHECK(codes >= 12);
  CHECK(has_oom);
  CHECK(has_missing);
}
