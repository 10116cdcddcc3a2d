#pragma once

namespace cli {

/// The whole program: reads the command line and runs the subcommand; gives the exit status.
[[nodiscard]] int run(int argc, char** argv);

}  // namespace cli
