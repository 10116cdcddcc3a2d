// Completion, as the shells and kubectl ask for it.

#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/process.h"

using support::Finished;
using support::Process;
using support::run_program;

namespace {

std::string complete(std::vector<std::string> words) {
  words.insert(words.begin(), "__complete");
  const Finished finished = run_program(std::move(words));
  CHECK(finished.status == 0);
  CHECK(finished.err.empty());
  return finished.out;
}

/// What bash offers behind `line`, one a line.
std::string bash(const std::vector<std::string>& words) {
  std::string script = R"(source <("$PROGRAM" completion bash); COMP_WORDS=("$PROGRAM")";
  for (const std::string& word : words) script += " '" + word + "'";
  script += "); COMP_CWORD=" + std::to_string(words.size()) +
            "; compopt() { echo \"compopt $*\"; }; _tfjob_webhook; printf '%s\\n' "
            "\"${COMPREPLY[@]}\"";
  Process shell({"/bin/bash", "-c", "PROGRAM=" PROGRAM "; " + script});
  const Finished finished = shell.wait();
  CHECK(finished.err.empty());
  return finished.out;
}

}  // namespace

TEST_CASE("commands are completed with what they do", "[cli][completion]") {
  const std::string all = complete({""});
  CHECK(all.find("serve\tAnswer AdmissionReviews of the API server over HTTPS.\n") !=
        std::string::npos);
  CHECK(all.ends_with(":4\n"));
  CHECK(complete({"cl"}) ==
        "classify\tTell what an exit code means, or the end of a pod, and why.\n:4\n");
  CHECK(complete({"nothing"}) == ":4\n");
  CHECK(complete({"nothing", ""}) == ":4\n");
}

TEST_CASE("flags and their values are completed", "[cli][completion]") {
  CHECK(complete({"serve", "--log-f"}) == "--log-format\tjson or text, on standard error\n:4\n");
  CHECK(complete({"serve", "--log-format", ""}) == "json\ntext\n:4\n");
  CHECK(complete({"serve", "--log-format=j"}) == "--log-format=json\n:4\n");
  CHECK(complete({"classify", "1", "--profile", "all-"}) == "all-permanent\nall-retryable\n:4\n");
  CHECK(complete({"completion", ""}) == "bash\nzsh\nfish\n:4\n");
  CHECK(complete({"serve", "--nothing=x"}) == ":4\n");
}

TEST_CASE("where a file is meant, files are completed", "[cli][completion]") {
  CHECK(complete({"review", ""}) == ":0\n");
  CHECK(complete({"serve", "--config", ""}) == ":0\n");
  CHECK(complete({"review", "--", "--x"}) == ":0\n");
  CHECK(complete({"review", "file", ""}) == ":4\n");
}

TEST_CASE("bash completes by its script", "[cli][completion]") {
  CHECK(bash({"cl"}) == "classify\n");
  CHECK(bash({"serve", "--log-format", ""}) == "json\ntext\n");
  CHECK(bash({"serve", "--log-format", "=", "t"}) == "text\n");
  CHECK(bash({"serve", "--log-format", "="}) == "json\ntext\n");
  CHECK(bash({"review", ""}) == "compopt -o default\n\n");
}

TEST_CASE("there is a script for each shell", "[cli][completion]") {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Finished finished = run_program({"completion", shell});
    CHECK(finished.status == 0);
    CHECK(finished.out.find("__complete") != std::string::npos);
  }
  CHECK(run_program({"completion", "tcsh"}).status == 2);
}
