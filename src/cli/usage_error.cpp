#include "cli/usage_error.h"

#include <string_view>
#include <vector>

#include "exit_codes/nearest.h"
#include "jobs/text.h"

namespace cli {
namespace {

std::string did_you_mean(std::string_view text, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string_view near = exit_codes::nearest(text, views);
  return near.empty() ? std::string() : "did you mean " + std::string(near) + "? ";
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  return "there is no command " + word + ": " + did_you_mean(word, names) + "The commands are " +
         jobs::joined(views);
}

std::string unknown_flag(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string flag = word.substr(0, word.find('='));
  const std::string text = "there is no flag " + flag;
  const std::string near = did_you_mean(flag, names);
  return near.empty() ? text : text + ": " + near.substr(0, near.size() - 1);
}

std::string what_is_wrong(const CLI::App& app, const CLI::App& command,
                          const CLI::ParseError& error) {
  const bool no_command = &app == &command;
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) {
    if (!no_command) return error.what();
    std::vector<std::string_view> names;
    for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
    return "a command is missing: one of " + jobs::joined(names);
  }
  const std::string& word = words.front();
  if (word.starts_with("-") && word.size() > 1) return unknown_flag(command, word);
  if (no_command) return unknown_command(app, word);
  return "the argument " + word + " is one too many";
}

}  // namespace

std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> called = app.get_subcommands();
  const CLI::App& command = called.empty() ? app : *called.front();
  std::string help = app.get_name();
  if (&command != &app) help += " " + command.get_name();
  return what_is_wrong(app, command, error) + "\n'" + help + " --help' tells how it is used.\n";
}

}  // namespace cli
