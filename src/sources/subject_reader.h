#pragma once

#include <optional>

#include <simdjson.h>

#include "exit_codes/profile.h"
#include "jobs/job.h"
#include "jobs/subject.h"
#include "sources/source.h"

namespace sources {

/// Makes of jobs in files what rules and tables are made from. Reuses its memory; for one thread.
class SubjectReader {
 public:
  /// The job `source`, whose namespace has the profile `fallback` (one of `profiles`); null where
  /// its kind is not checked or it cannot be written as JSON. It is valid until the next call, and
  /// as long as `source` and `profiles`.
  [[nodiscard]] const jobs::Subject* read(const Job& source, const exit_codes::Profiles& profiles,
                                          const exit_codes::Table& fallback);

 private:
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  jobs::Job job_;
  std::optional<jobs::Subject> subject_;
};

}  // namespace sources
