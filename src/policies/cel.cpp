#include "policies/cel.h"

#include "exit_codes/code_names.h"

namespace policies {

std::string cel_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string glob_to_regex(std::string_view glob) {
  constexpr std::string_view kSpecial = ".+()|{}^$\\]";
  std::string out;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    // A bracket at once behind the opening one, or behind a '!', is one of the set.
    const std::size_t from = i + 1 + (glob.substr(i + 1).starts_with('!') ? 1 : 0);
    const std::size_t close = c == '[' ? glob.find(']', from + 1) : std::string_view::npos;
    if (close != std::string_view::npos) {
      out += from > i + 1 ? "[^" : "[";
      for (const char member : glob.substr(from, close - from)) {
        if (member == ']' || member == '[' || member == '^' || member == '\\') out += '\\';
        out += member;
      }
      out += ']';
      i = close;
    } else if (c == '*') {
      out += ".*";
    } else if (c == '?') {
      out += '.';
    } else {
      if (kSpecial.find(c) != std::string_view::npos || c == '[') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string code_list_regex() {
  const std::string code = "([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
  std::string names;
  for (const exit_codes::CodeName& each : exit_codes::signal_names()) {
    names.append("|").append(each.name);
  }
  for (const exit_codes::CodeName& each : exit_codes::sysexits_names()) {
    names.append("|").append(each.name);
  }
  const std::string item = "[ \\t]*(" + code + "(-" + code + ")?" + names + ")[ \\t]*";
  return "^" + item + "(," + item + ")*$";
}

std::string code_names_map() {
  std::string out;
  const auto add = [&](const exit_codes::CodeName& each) {
    out += (out.empty() ? "" : ", ") + cel_string(each.name) + ": " + std::to_string(each.code);
  };
  for (const exit_codes::CodeName& each : exit_codes::signal_names()) add(each);
  for (const exit_codes::CodeName& each : exit_codes::sysexits_names()) add(each);
  return "{" + out + "}";
}

}  // namespace policies
