#include "admission/finalizer.h"

#include <algorithm>
#include <optional>

#include "admission/json_text.h"
#include "exit_codes/annotation.h"

namespace admission {
namespace {

using jobs::is_missing;
using jobs::Scalar;
using jobs::Shape;

/// `names` and, if wanted, ours behind them; JSON.
std::string list_of(const std::vector<Scalar>& names, bool wanted) {
  std::string out;
  const auto add = [&out](std::string_view name) {
    out += out.empty() ? '[' : ',';
    append_json_string(out, name);
  };
  for (const Scalar& name : names) {
    if (name.text != exit_codes::kVerdictFinalizer) add(name.text);
  }
  if (wanted) add(exit_codes::kVerdictFinalizer);
  return out.empty() ? "[]" : out + "]";
}

}  // namespace

void set_finalizer(const std::string& metadata_path, const jobs::PodTemplate& pod_template,
                   bool wanted, std::vector<PatchOperation>& patch) {
  const auto is_ours = [](const Scalar& name) {
    return name.is_string() && name.text == exit_codes::kVerdictFinalizer;
  };
  const std::vector<Scalar>& names = pod_template.finalizer_names;
  if (std::ranges::any_of(names, is_ours) == wanted) return;
  if (!std::ranges::all_of(names, &Scalar::is_string)) return;

  if (pod_template.metadata == Shape::object) {
    if (!is_missing(pod_template.finalizers) && pod_template.finalizers != Shape::array) return;
    patch.push_back({metadata_path + "/finalizers", list_of(names, wanted)});
    return;
  }
  // Metadata that the table's operation makes: one place is written once.
  if (patch.empty() || patch.back().path != metadata_path) return;
  PatchOperation& last = patch.back();
  std::optional<std::string>& made = last.value;
  if (!made) return;
  made->pop_back();
  *made += ",\"finalizers\":" + list_of({}, true) + "}";
  // It is no longer the table as it was rendered.
  last.piece = nullptr;
}

}  // namespace admission
