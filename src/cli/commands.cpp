#include <array>

#include "cli/command.h"

namespace cli {

std::span<const AddCommand> commands() noexcept {
  static constexpr std::array kCommands{
      AddCommand{add_serve},      AddCommand{add_enforce},  AddCommand{add_lint},
      AddCommand{add_annotate},   AddCommand{add_explain},  AddCommand{add_review},
      AddCommand{add_classify},   AddCommand{add_profiles}, AddCommand{add_policies},
      AddCommand{add_completion}, AddCommand{add_version}};
  return kCommands;
}

}  // namespace cli
