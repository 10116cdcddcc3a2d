#include <array>

#include "cli/command.h"

namespace cli {

std::span<const AddCommand> commands() noexcept {
  static constexpr std::array<AddCommand, 5> kCommands{add_serve, add_review, add_classify,
                                                       add_profiles, add_version};
  return kCommands;
}

}  // namespace cli
