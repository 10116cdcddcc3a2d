#include "tests/support/job.h"

#include <stdexcept>

#include <simdjson.h>

#include "jobs/reader.h"

namespace support {

struct ParsedJob::State {
  simdjson::padded_string text;
  simdjson::ondemand::parser parser;
  exit_codes::Profiles profiles;
  jobs::Job job;
  jobs::Subject subject;
};

ParsedJob::ParsedJob(std::string_view json, std::string_view kind, std::string_view version)
    : state_(std::make_unique<State>()) {
  state_->text = simdjson::padded_string(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::value value;
  auto error = state_->parser.iterate(state_->text).get(document);
  if (!error) error = document.get_value().get(value);
  if (!error) error = jobs::read_job(value, state_->job);
  if (error) throw std::runtime_error(simdjson::error_message(error));
  const jobs::Kind* const row = jobs::find_kind(jobs::kGroup, version, kind);
  if (row == nullptr) throw std::runtime_error("no such kind");
  state_->subject = jobs::make_subject(*row, state_->job, state_->profiles,
                                       *state_->profiles.find(exit_codes::kDefaultProfile));
}

ParsedJob::~ParsedJob() = default;

const jobs::Job& ParsedJob::job() const { return state_->job; }
const jobs::Subject& ParsedJob::subject() const { return state_->subject; }

std::string tfjob(std::string_view replicas, std::string_view spec, std::string_view metadata) {
  std::string json = R"({"apiVersion":"kubeflow.org/v1","kind":"TFJob","metadata":{"name":"mnist")";
  if (!metadata.empty()) json.append(",").append(metadata);
  json.append(R"(},"spec":{"tfReplicaSpecs":{)").append(replicas).append("}");
  if (!spec.empty()) json.append(",").append(spec);
  return json + "}}";
}

std::string replica(std::string_view type, std::string_view policy) {
  std::string json = "\"";
  json.append(type).append(R"(":{"restartPolicy":)").append(policy);
  return json.append(R"(,"template":)").append(kTemplate).append("}");
}

jobs::Findings findings_of(void (*rule)(const jobs::Subject&, jobs::Findings&),
                           std::string_view json, std::string_view kind, std::string_view version) {
  const ParsedJob parsed(json, kind, version);
  jobs::Findings findings;
  rule(parsed.subject(), findings);
  return findings;
}

std::vector<std::string> lines(const jobs::Findings& findings) {
  std::vector<std::string> out;
  for (const jobs::Finding& finding : findings)
    out.push_back(finding.field + ": " + finding.message);
  return out;
}

}  // namespace support
