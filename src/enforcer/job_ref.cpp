#include "enforcer/job_ref.h"

#include <algorithm>

namespace enforcer {
namespace {

JobKind row(std::string_view kind, std::string_view plural) {
  return {.kind = jobs::find_kind(jobs::kGroup, "v1", kind),
          .resource = {.group = jobs::kGroup, .version = "v1", .plural = plural}};
}

}  // namespace

std::span<const JobKind> job_kinds() {
  static const std::array rows{row("TFJob", "tfjobs"),         row("PyTorchJob", "pytorchjobs"),
                               row("PaddleJob", "paddlejobs"), row("XGBoostJob", "xgboostjobs"),
                               row("JAXJob", "jaxjobs"),       row("MXJob", "mxjobs")};
  return rows;
}

const JobKind* find_job_kind(std::string_view api_version, std::string_view kind) {
  if (api_version != kJobApiVersion) return nullptr;
  const auto found = std::ranges::find_if(
      job_kinds(), [&](const JobKind& known) { return known.kind->name == kind; });
  return found == job_kinds().end() ? nullptr : &*found;
}

}  // namespace enforcer
