#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exit_codes/profile.h"
#include "jobs/finding.h"
#include "jobs/job.h"
#include "jobs/kind.h"
#include "jobs/subject.h"

namespace support {

/// A job read from JSON text, with what it needs to stay valid.
class ParsedJob {
 public:
  /// Throws if `json` is broken on the way or the kind is none of ours.
  explicit ParsedJob(std::string_view json, std::string_view kind = "TFJob",
                     std::string_view version = "v1");
  ~ParsedJob();
  ParsedJob(const ParsedJob&) = delete;
  ParsedJob& operator=(const ParsedJob&) = delete;

  [[nodiscard]] const jobs::Job& job() const;
  /// With the built-in profiles, `kubeflow` being the namespace's.
  [[nodiscard]] const jobs::Subject& subject() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The template that makes a replica of a TFJob complete.
inline constexpr std::string_view kTemplate =
    R"({"spec":{"containers":[{"name":"tensorflow","image":"i"}]}})";

/// A TFJob with the replica specs given as JSON (`"Worker":{...}`), and further fields of `spec`
/// and `metadata`.
[[nodiscard]] std::string tfjob(std::string_view replicas, std::string_view spec = "",
                                std::string_view metadata = "");

/// `"TYPE":{"restartPolicy":POLICY,"template":kTemplate}`; POLICY is JSON.
[[nodiscard]] std::string replica(std::string_view type, std::string_view policy);

/// The findings of `rule` alone for a job given as JSON.
[[nodiscard]] jobs::Findings findings_of(void (*rule)(const jobs::Subject&, jobs::Findings&),
                                         std::string_view json, std::string_view kind = "TFJob",
                                         std::string_view version = "v1");

/// Each finding as "FIELD: MESSAGE".
[[nodiscard]] std::vector<std::string> lines(const jobs::Findings& findings);

}  // namespace support
