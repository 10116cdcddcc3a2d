// Golden output of each format for golden/findings.yaml. Run with UPDATE_GOLDEN=1 in the
// environment to write what is put out now, then read the difference.

#include "lint/output.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "lint/check.h"
#include "tests/support/catch.h"
#include "tests/support/manifest.h"

using lint::Format;
using lint::Output;

namespace {

const std::string kFolder = PROJECT_DIR "/tests/lint/golden/";

std::string written(Format format, bool colour, std::string_view path, const std::string& text) {
  Output output(format, colour, "1.2.3");
  const lint::Report report = lint::check(text, {});
  std::string all = output.begin();
  all += output.add(path, text, report);
  all += output.add("a b/ä,%.yaml", {}, lint::unreadable("permission denied"));
  return all + output.end(false);
}

void check_golden(const std::string& name, const std::string& actual) {
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(kFolder + name) << actual;
  CHECK(actual == support::read_file(kFolder + name));
}

/// What text says of the one finding in `text`.
std::string text_of(const std::string& text) {
  Output output(Format::text, false, "1.2.3");
  return output.add("f.yaml", text, lint::check(text, {}));
}

}  // namespace

TEST_CASE("findings are written as text, JSON, SARIF and workflow commands", "[lint][output]") {
  const std::string text = support::read_file(kFolder + "findings.yaml");
  check_golden("text.txt", written(Format::text, false, "findings.yaml", text));
  check_golden("colour.txt", written(Format::text, true, "findings.yaml", text));
  check_golden("json.json", written(Format::json, false, "findings.yaml", text));
  check_golden("sarif.json", written(Format::sarif, false, "/tmp/x/findings.yaml", text));
  check_golden("github.txt", written(Format::github, false, "findings.yaml", text));
}

TEST_CASE("without findings JSON and SARIF are whole all the same", "[lint][output]") {
  const auto empty = [](Format format) {
    const Output output(format, false, "1.2.3");
    return output.begin() + output.end(true);
  };
  CHECK(empty(Format::text).empty());
  CHECK(empty(Format::github).empty());
  CHECK(empty(Format::json) == "[]\n");
  const auto log = nlohmann::json::parse(empty(Format::sarif));
  CHECK(log["runs"][0]["results"].empty());
  CHECK(log["runs"][0]["invocations"][0]["executionSuccessful"] == true);
}

TEST_CASE("a long line is cut around the place", "[lint][output]") {
  const std::string padding(500, 'x');
  const std::string out = text_of(
      "{apiVersion: kubeflow.org/v1, kind: TFJob, spec: {tfReplicaSpecs: {Worker: {a: " + padding +
      ", restartPolicy: Sometimes, template: {b: " + padding + "}}}}}");
  CHECK(out.find("    1 | ..." + std::string(43, 'x') +
                 ", restartPolicy: Sometimes, template: {b: " + std::string(35, 'x') +
                 "...\n      |    " + std::string(60, ' ') + "^~~~~~~~~\n") != std::string::npos);
}

TEST_CASE("carets find their column behind tabs and letters of several bytes", "[lint][output]") {
  const std::string out =
      text_of("{\"ä\":\t\"ö\", \"apiVersion\": \"kubeflow.org/v0\", \"kind\": \"TFJob\"}");
  CHECK(out.find("    1 | {\"ä\": \"ö\", \"apiVersion\": \"kubeflow.org/v0\"") !=
        std::string::npos);
  CHECK(out.find("\n      | " + std::string(25, ' ') + "^~~~~~~~~~~~~~~~~\n") != std::string::npos);
}
