#include "cli/job_title.h"

namespace cli {

std::string job_title(const std::string& file, const sources::Job& job) {
  std::string title = file + ":" + std::to_string(job.node.mark().line) + ": " + job.kind_name;
  if (job.name.empty()) return title;
  title += ' ';
  if (!job.name_space.empty()) title += job.name_space + "/";
  return title + job.name;
}

}  // namespace cli
