#pragma once

#include <simdjson.h>

#include "jobs/job.h"

namespace jobs {

/// What stands at `value`; consumes nothing.
[[nodiscard]] simdjson::error_code read_shape(simdjson::ondemand::value value, Shape& shape);

/// Reads a string, number or boolean; anything else leaves only its shape.
[[nodiscard]] simdjson::error_code read_scalar(simdjson::ondemand::value value, Scalar& scalar);

/// Reads the key of a field, unescaped. To be called before the field's value is looked at.
[[nodiscard]] simdjson::error_code read_key(simdjson::ondemand::field& field,
                                            std::string_view& key);

/// Calls `on_field(key, value)` for each field of an object, keys unescaped; the handler returns an
/// error code. Go encodes '&', '<' and '>' as \u escapes, so keys cannot be compared raw.
template <class OnField>
[[nodiscard]] simdjson::error_code for_each_field(simdjson::ondemand::value value,
                                                  OnField on_field) {
  simdjson::ondemand::object object;
  if (const auto error = value.get_object().get(object)) return error;
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (const auto error = std::move(result).get(field)) return error;
    std::string_view key;
    if (const auto error = read_key(field, key)) return error;
    if (const auto error = on_field(key, field.value())) return error;
  }
  return simdjson::SUCCESS;
}

/// Reads a job of any kind in one pass, whatever stands there: a field of the wrong shape is noted
/// as such, and is for the rules to judge. Of two equal keys the last counts, as in Go's decoders.
/// Only broken JSON on the way is an error; what is skipped is not looked into. The views in `job`
/// live as long as the document's bytes and its parser, until the parser's next document.
[[nodiscard]] simdjson::error_code read_job(simdjson::ondemand::value value, Job& job);

}  // namespace jobs
