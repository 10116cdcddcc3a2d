// Reads a table annotation and decides about a pod, as a controller would.
#include <iostream>
#include <variant>

#include "exit_codes/annotation.h"
#include "exit_codes/decision.h"
#include "exit_codes/profile.h"

int main() {
  const exit_codes::Profiles profiles;
  const auto table = exit_codes::decode(exit_codes::encode(*profiles.find("kubeflow")));
  if (const auto* error = std::get_if<exit_codes::DecodeError>(&table)) {
    std::cerr << error->message << '\n';
    return 1;
  }
  exit_codes::Pod pod;
  pod.containers.push_back(
      {.name = "tensorflow",
       .terminated = exit_codes::Terminated{.exit_code = 139, .reason = "Error", .finished_at = {}},
       .restartable = false});
  std::cout << exit_codes::decide(std::get<exit_codes::Table>(table), pod, "tensorflow").because
            << '\n';
  return 0;
}
