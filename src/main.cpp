#include <cstdio>
#include <exception>

#include "cli/exit_status.h"
#include "cli/run.h"

int main(int argc, char** argv) {
  try {
    return cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tfjob-webhook: %s\n", error.what());
    return cli::ExitStatus::unreadable;
  }
}
