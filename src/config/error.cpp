#include "config/error.h"

#include <algorithm>

namespace config {

std::string to_string(const Error& error) {
  std::string text = error.file;
  if (error.mark) {
    text += ":" + std::to_string(error.mark->line) + ":" + std::to_string(error.mark->column);
  }
  return text + ": " + error.message;
}

void ErrorList::add(const yaml::Mark& mark, std::string message) {
  errors_.push_back({file_, mark, std::move(message)});
}

std::vector<Error> ErrorList::take() && {
  std::ranges::stable_sort(errors_, {}, &Error::mark);
  return std::move(errors_);
}

}  // namespace config
