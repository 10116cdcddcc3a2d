#include "jobs/inputs.h"

#include <utility>
#include <variant>

#include "exit_codes/annotation.h"
#include "exit_codes/code_list.h"
#include "exit_codes/nearest.h"
#include "jobs/text.h"

namespace jobs {
namespace {

using exit_codes::CodeSet;
using exit_codes::ParseError;

/// The text of the annotation `key` if it is there and a string; notes a problem if it is no
/// string.
std::optional<std::string_view> text_of(const Annotations& annotations, std::string_view key,
                                        std::vector<InputProblem>& problems) {
  const Scalar value = annotations.find(key);
  // The API server reads null as an empty string; there, too, nothing usable stands.
  if (value.is_string()) return value.text;
  if (value.shape == Shape::absent) return std::nullopt;
  const bool quotable = value.shape == Shape::number || value.shape == Shape::boolean;
  problems.push_back({key, shown(value),
                      "must be a string, not " + std::string(describe(value.shape)) +
                          (quotable ? ": write \"" + shown(value) + "\" in quotes" : "")});
  return std::nullopt;
}

std::string unknown_profile(std::string_view name, const exit_codes::Profiles& profiles) {
  const std::vector<std::string_view> names = profiles.names();
  const std::string_view near = exit_codes::nearest(name, names);
  std::string message = "there is no profile " + quoted(name);
  if (!near.empty()) message += ": did you mean " + std::string(near) + "?";
  message += (near.empty() ? ": the profiles are " : " The profiles are ") + joined(names);
  return message;
}

CodeSet read_list(const Annotations& annotations, std::string_view key,
                  std::vector<InputProblem>& problems) {
  const auto text = text_of(annotations, key, problems);
  if (!text) return {};
  auto parsed = exit_codes::parse_code_list(*text);
  if (auto* errors = std::get_if<std::vector<ParseError>>(&parsed)) {
    for (ParseError& error : *errors) {
      problems.push_back({key, std::string(*text), std::move(error.message)});
    }
    return {};
  }
  return std::get<CodeSet>(parsed);
}

void drop_clash(const Annotations& annotations, Inputs& inputs) {
  exit_codes::Overrides& overrides = inputs.overrides;
  const CodeSet both = overrides.retryable & overrides.permanent;
  if (both.empty()) return;
  std::string codes;
  for (const int code : both.values()) codes += (codes.empty() ? "" : ", ") + std::to_string(code);
  const std::string_view key = exit_codes::kPermanentAnnotation;
  inputs.problems.push_back(
      {key,
       std::string(annotations.find(key).text) + " / " +
           std::string(annotations.find(exit_codes::kRetryableAnnotation).text),
       "lists " + codes + " that " + std::string(exit_codes::kRetryableAnnotation) +
           " lists too: keep each code on one side"});
  overrides.retryable = overrides.permanent = {};
}

}  // namespace

Inputs read_inputs(const Annotations& annotations, const exit_codes::Profiles& profiles) {
  Inputs inputs;
  if (annotations.ours.empty()) return inputs;
  std::vector<InputProblem>& problems = inputs.problems;

  if (const auto name = text_of(annotations, exit_codes::kProfileAnnotation, problems)) {
    inputs.profile = profiles.find(*name);
    if (inputs.profile == nullptr) {
      problems.push_back(
          {exit_codes::kProfileAnnotation, std::string(*name), unknown_profile(*name, profiles)});
    }
  }
  inputs.overrides.retryable = read_list(annotations, exit_codes::kRetryableAnnotation, problems);
  inputs.overrides.permanent = read_list(annotations, exit_codes::kPermanentAnnotation, problems);
  drop_clash(annotations, inputs);

  if (const auto text = text_of(annotations, exit_codes::kMaxRetriesAnnotation, problems)) {
    auto parsed = exit_codes::parse_max_retries(*text);
    if (auto* error = std::get_if<ParseError>(&parsed)) {
      problems.push_back(
          {exit_codes::kMaxRetriesAnnotation, std::string(*text), std::move(error->message)});
    } else {
      inputs.overrides.max_retries = std::get<int>(parsed);
    }
  }
  return inputs;
}

exit_codes::Table make_table(const exit_codes::Table& fallback, const Inputs& job) {
  exit_codes::Table table = job.profile != nullptr ? *job.profile : fallback;
  exit_codes::apply(job.overrides, table);
  return table;
}

exit_codes::Table make_table(const exit_codes::Table& fallback, const Inputs& job,
                             const Inputs& replica) {
  exit_codes::Table table =
      make_table(replica.profile != nullptr ? *replica.profile : fallback,
                 replica.profile != nullptr ? Inputs{nullptr, job.overrides, {}} : job);
  exit_codes::apply(replica.overrides, table);
  return table;
}

}  // namespace jobs
