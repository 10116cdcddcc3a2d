#include "jobs/check.h"

#include <array>
#include <string>

#include "jobs/rules/rules.h"

namespace jobs {

Findings check(const Subject& subject) {
  using Rule = void (*)(const Subject&, Findings&);
  static constexpr std::array<Rule, 12> kRules{
      rules::malformed_job,
      rules::invalid_restart_policy,
      rules::invalid_exit_codes,
      rules::duplicate_replica_type,
      rules::exit_code_container_missing,
      rules::template_restart_policy_ignored,
      rules::unbounded_retries,
      rules::unknown_replica_type,
      rules::unknown_annotation,
      rules::exit_code_unsupported,
      rules::backoff_limit_zero,
      rules::elastic_exit_code,
  };
  Findings findings;
  for (const Rule rule : kRules) rule(subject, findings);
  return findings;
}

Finding not_an_object(Shape shape, std::string_view kind) {
  return {.rule = "malformed-job",
          .severity = Severity::denied,
          .field = "object",
          .value = std::string(describe(shape)),
          .message = "must be an object of kind " + std::string(kind) + ", not " +
                     std::string(describe(shape))};
}

}  // namespace jobs
