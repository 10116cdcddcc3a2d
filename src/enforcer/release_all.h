#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "kube/api.h"

namespace enforcer {

/// What `release_all` has done.
struct Released {
  std::size_t pods = 0;
  std::size_t jobs = 0;
  std::size_t failures = 0;
};

/// Takes our finalizer off the templates of all jobs, so that no new pod has it, and then off all
/// pods, whosever they are. `say` gets a line for each object that was changed or refuses it. Can
/// be repeated. `name_space`: one, or (empty) all.
[[nodiscard]] Released release_all(kube::Api& api, const std::string& name_space,
                                   const std::function<void(const std::string&)>& say);

}  // namespace enforcer
