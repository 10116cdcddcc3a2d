// Reads a table annotation and a pod as the API server has it, and decides, as a controller would.
#include <iostream>
#include <variant>

#include "exit_codes/annotation.h"
#include "exit_codes/decision.h"
#include "exit_codes/pod_json.h"
#include "exit_codes/profile.h"

int main() {
  const exit_codes::Profiles profiles;
  const auto table = exit_codes::decode(exit_codes::encode(*profiles.find("kubeflow")));
  if (const auto* error = std::get_if<exit_codes::DecodeError>(&table)) {
    std::cerr << error->message << '\n';
    return 1;
  }
  const auto pod = exit_codes::decode_pod(R"({
    "kind": "Pod", "apiVersion": "v1", "metadata": {"name": "mnist-worker-0"},
    "spec": {"containers": [{"name": "tensorflow"}, {"name": "istio-proxy"}]},
    "status": {"phase": "Failed", "containerStatuses": [
      {"name": "istio-proxy", "state": {"terminated": {"exitCode": 143, "reason": "Error"}}},
      {"name": "tensorflow", "state": {"terminated": {"exitCode": 139, "reason": "Error"}}}]}})");
  if (const auto* error = std::get_if<exit_codes::DecodeError>(&pod)) {
    std::cerr << error->message << '\n';
    return 1;
  }
  std::cout << exit_codes::decide(std::get<exit_codes::Table>(table),
                                  std::get<exit_codes::Pod>(pod), "tensorflow")
                   .because
            << '\n';
  return 0;
}
