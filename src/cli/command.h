#pragma once

#include <functional>
#include <span>

#include <CLI/CLI.hpp>

namespace cli {

/// What a subcommand does once the command line is read; gives the exit status.
using Action = std::function<int()>;

/// Adds a subcommand to `app` and, when it is the one that was called, sets `action`.
using AddCommand = void (*)(CLI::App& app, Action& action);

void add_serve(CLI::App& app, Action& action);
void add_enforce(CLI::App& app, Action& action);
void add_lint(CLI::App& app, Action& action);
void add_annotate(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_review(CLI::App& app, Action& action);
void add_classify(CLI::App& app, Action& action);
void add_profiles(CLI::App& app, Action& action);
void add_policies(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);

/// All subcommands, in the order of the help.
[[nodiscard]] std::span<const AddCommand> commands() noexcept;

}  // namespace cli
