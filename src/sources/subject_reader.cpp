#include "sources/subject_reader.h"

#include "jobs/reader.h"

namespace sources {

const jobs::Subject* SubjectReader::read(const Job& source, const exit_codes::Profiles& profiles,
                                         const exit_codes::Table& fallback) {
  subject_.reset();
  job_ = {};
  if (source.kind == nullptr || source.json.empty()) return nullptr;
  const simdjson::padded_string_view json(source.json, source.json.capacity());
  simdjson::ondemand::value value;
  // What we have written ourselves can be read.
  if (parser_.iterate(json).get(document_) || document_.get_value().get(value) ||
      jobs::read_job(value, job_)) {
    return nullptr;
  }
  subject_ = jobs::make_subject(*source.kind, job_, profiles, fallback);
  return &*subject_;
}

}  // namespace sources
