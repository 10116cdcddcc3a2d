#pragma once

#include "jobs/finding.h"
#include "jobs/subject.h"

/// The rules (DESIGN section 4), one per file. Each is a pure function that appends a finding for
/// every place that breaks it.
namespace jobs::rules {

// Denied.
void malformed_job(const Subject& subject, Findings& findings);
void invalid_restart_policy(const Subject& subject, Findings& findings);
void invalid_exit_codes(const Subject& subject, Findings& findings);
void duplicate_replica_type(const Subject& subject, Findings& findings);
void exit_code_container_missing(const Subject& subject, Findings& findings);

// Warned.
void template_restart_policy_ignored(const Subject& subject, Findings& findings);
void unbounded_retries(const Subject& subject, Findings& findings);
void unknown_replica_type(const Subject& subject, Findings& findings);
void unknown_annotation(const Subject& subject, Findings& findings);
void exit_code_unsupported(const Subject& subject, Findings& findings);
void backoff_limit_zero(const Subject& subject, Findings& findings);
void elastic_exit_code(const Subject& subject, Findings& findings);

}  // namespace jobs::rules
