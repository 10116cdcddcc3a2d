#include "cli/complete.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/values.h"

namespace cli {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The options of `command` by their long names.
std::vector<Completions::Word> flags(const CLI::App& command) {
  std::vector<Completions::Word> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      words.push_back({"--" + name, first_line(option->get_description())});
    }
  }
  return words;
}

const CLI::Option* find_flag(const CLI::App& command, std::string_view word) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (word == "--" + name) return option;
    }
    for (const std::string& name : option->get_snames()) {
      if (word == "-" + name) return option;
    }
  }
  return nullptr;
}

bool takes_value(const CLI::Option& option) { return option.get_type_size_max() > 0; }

/// The values of an option or argument; `prefix` is put before each.
Completions values(const CLI::Option& option, const std::string& prefix) {
  Completions result;
  for (const std::string& value : known_values(option)) {
    result.words.push_back({prefix + value, {}});
  }
  result.files = result.words.empty();
  return result;
}

const CLI::Option* positional(const CLI::App& command, std::size_t index) {
  const CLI::Option* last = nullptr;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    last = option;
    if (index == 0) return option;
    --index;
  }
  // The last one may take several.
  return last != nullptr && last->get_items_expected_max() > 1 ? last : nullptr;
}

Completions of_command(const CLI::App& command, std::span<const std::string> words) {
  const std::string& current = words.back();
  const CLI::Option* pending = nullptr;
  std::size_t arguments = 0;
  bool only_arguments = false;
  for (const std::string& word : words.first(words.size() - 1)) {
    if (pending != nullptr) {
      pending = nullptr;
    } else if (!only_arguments && word == "--") {
      only_arguments = true;
    } else if (!only_arguments && word.starts_with("-") && word != "-") {
      const CLI::Option* option = find_flag(command, word);
      if (option != nullptr && takes_value(*option)) pending = option;
    } else {
      ++arguments;
    }
  }
  if (pending != nullptr) return values(*pending, {});
  if (!only_arguments && current.starts_with("-")) {
    const std::size_t equals = current.find('=');
    if (equals == std::string::npos) return {.words = flags(command), .files = false};
    const CLI::Option* option = find_flag(command, current.substr(0, equals));
    if (option == nullptr || !takes_value(*option)) return {};
    return values(*option, current.substr(0, equals + 1));
  }
  const CLI::Option* option = positional(command, arguments);
  return option == nullptr ? Completions{} : values(*option, {});
}

}  // namespace

Completions complete(const CLI::App& app, std::span<const std::string> words) {
  Completions result;
  if (words.size() > 1) {
    for (const CLI::App* command : app.get_subcommands({})) {
      if (command->get_name() == words.front()) result = of_command(*command, words.subspan(1));
    }
  } else if (words.back().starts_with("-")) {
    result.words = flags(app);
  } else {
    for (const CLI::App* command : app.get_subcommands({})) {
      result.words.push_back({command->get_name(), first_line(command->get_description())});
    }
  }
  std::erase_if(result.words, [&words](const Completions::Word& word) {
    return !word.text.starts_with(words.back());
  });
  return result;
}

std::string to_text(const Completions& completions) {
  std::string text;
  for (const auto& [word, description] : completions.words) {
    text += word;
    if (!description.empty()) text += '\t' + description;
    text += '\n';
  }
  return text + (completions.files ? ":0\n" : ":4\n");
}

}  // namespace cli
