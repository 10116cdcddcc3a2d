#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "enforcer/job_ref.h"
#include "enforcer/retries.h"

namespace enforcer {

/// The reasons of a job's Failed condition that are ours.
inline constexpr std::string_view kExitCodePermanent = "ExitCodePermanent";
inline constexpr std::string_view kMaxRetriesExceeded = "MaxRetriesExceeded";

/// A job as a fresh GET shows it, as far as judging its pods needs it.
struct JobState {
  std::string uid;
  std::string resource_version;
  bool deleting = false;
  bool suspended = false;
  bool finished = false;         ///< condition Succeeded or Failed is true
  bool failed_by_us = false;     ///< the reason of its Failed condition is one of ours
  std::string failed_message;    ///< of that condition
  std::string completion_time;   ///< as written; empty: none
  std::string manager;           ///< spec.runPolicy.managedBy, where it is another controller
  bool dynamic_workers = false;  ///< TFJob: spec.enableDynamicWorker
  std::string table;             ///< the job's own annotation; empty: none
  Retries retries;
  std::map<std::string, std::string> policies;  ///< effective, by replica type in lower case
  nlohmann::json status;                        ///< an object
};

/// Reads a job of the API; nullopt if the text is no object with metadata.
[[nodiscard]] std::optional<JobState> parse_job(const JobKind& kind, std::string_view json_text);

/// As `parse_job`, of an object.
[[nodiscard]] JobState read_job(const JobKind& kind, const nlohmann::json& object);

/// "worker" of "Worker": as the operator's labels have replica types.
[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace enforcer
