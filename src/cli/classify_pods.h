#pragma once

#include <string>
#include <string_view>

#include "exit_codes/decision.h"
#include "exit_codes/table.h"

namespace cli {

/// How pods are to be judged.
struct PodQuestion {
  const exit_codes::Table* table = nullptr;  ///< where a pod carries none that can be read
  std::string container;  ///< the job's own; empty: that of the pod's owner, else its first
  int retries = 0;        ///< how often each was retried already
};

/// Tells the verdict on each pod in `text`, and why: Pods and Lists of them, in JSON or YAML as
/// `kubectl get` prints them. Gives the exit status: 3 where something cannot be read.
[[nodiscard]] int classify_pods(std::string_view text, const PodQuestion& question);

/// What people are told of a decision, in two lines.
[[nodiscard]] std::string to_text(const exit_codes::Decision& decision);

}  // namespace cli
