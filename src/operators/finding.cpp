#include "operators/finding.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operators/comparison.h"

namespace operators {
namespace {

using exit_codes::Verdict;

/// Whether the webhook gives this replica a table for the operator to differ from.
bool has_table(const jobs::Subject& subject, const jobs::SubjectReplica& replica) {
  return subject.kind->layout == jobs::Layout::list || replica.uses_exit_code();
}

/// What has this verdict and this response: "128, 139, OOMKilled"; empty if nothing has.
std::string ends_of(const std::vector<Comparison>& parted, Verdict verdict, Response response) {
  exit_codes::CodeSet codes;
  std::vector<std::string> ends;
  for (const Comparison& comparison : parted) {
    if (comparison.handled_as != verdict || comparison.response != response) continue;
    if (comparison.end == End::codes) codes |= comparison.codes;
    if (comparison.end == End::reason) ends.push_back(comparison.reason);
    if (comparison.end == End::no_exit_code) ends.emplace_back("pods without an exit code");
  }
  std::string text = to_text(codes);
  for (const std::string& end : ends) text.append(text.empty() ? "" : ", ").append(end);
  return text;
}

/// "retries 128, 139 (permanent in the table)"; empty if there is nothing to tell.
std::string told(const std::vector<Comparison>& parted, Verdict verdict, Response response) {
  const std::string ends = ends_of(parted, verdict, response);
  if (ends.empty()) return {};
  std::string verb = "neither retries nor fails on ";
  if (response == Response::retries) verb = "retries ";
  if (response == Response::fails) verb = "fails on ";
  return verb + ends + " (" + std::string(exit_codes::to_string(verdict)) + " in the table)";
}

const Comparison* find(const std::vector<Comparison>& parted, End end) {
  const auto found = std::ranges::find(parted, end, &Comparison::end);
  return found == parted.end() ? nullptr : &*found;
}

bool is_positive(const jobs::Scalar& number) {
  return number.shape == jobs::Shape::number && number.text != "0" && !number.text.starts_with('-');
}

/// What the operator does otherwise and what to do about it; empty if that is nothing that a
/// manifest is to blame for.
std::string message(const std::vector<Comparison>& parted, const Operator& which,
                    bool vain_backoff_limit) {
  std::string text;
  const auto add = [&](const std::string& clause) {
    if (!clause.empty()) text.append(text.empty() ? "" : ", ").append(clause);
  };
  const std::string unstopped = told(parted, Verdict::permanent, Response::retries);
  const std::string unretried = told(parted, Verdict::retryable, Response::fails);
  const std::string hanging = told(parted, Verdict::permanent, Response::hangs);
  add(unstopped);
  add(unretried);
  add(hanging);
  add(told(parted, Verdict::retryable, Response::hangs));
  const bool unlimited = find(parted, End::retry_limit) != nullptr;
  if (unlimited) add("does not count to max-retries");
  if (vain_backoff_limit) add("does not count recreated pods to backoffLimit");
  const Comparison* const disruption = find(parted, End::disruption);
  if (disruption != nullptr && disruption->response == Response::fails) {
    add("fails on a Running pod that is deleted");
  }
  if (text.empty()) return {};

  text = std::string(which.name) + " " + text + ": ";
  if (!unstopped.empty() || unlimited || vain_backoff_limit)
    text += "run a controller that honours the table; ";
  if (!unretried.empty()) text += "end with 138 what shall be retried; ";
  if (!hanging.empty()) text += "set activeDeadlineSeconds; ";
  return text + "'tfjob-webhook explain' tells the whole";
}

}  // namespace

bool has_vain_backoff_limit(const jobs::Job& job, const Operator& which) {
  return which.reads_backoff_limit &&
         (is_positive(job.backoff_limit) || is_positive(job.run_policy_backoff_limit));
}

jobs::Findings operator_disagrees(const jobs::Subject& subject, const Operator& which) {
  jobs::Findings findings;
  const bool vain = has_vain_backoff_limit(*subject.job, which);
  std::vector<std::string> others;  // by finding: the replicas that it is about besides the first
  for (const jobs::SubjectReplica& replica : subject.replicas) {
    if (!has_table(subject, replica)) continue;
    const std::string text =
        message(compare(subject.table(replica), which, *subject.kind), which, vain);
    if (text.empty()) continue;
    const auto same = std::ranges::find(findings, text, &jobs::Finding::message);
    if (same == findings.end()) {
      findings.push_back({.rule = "operator-disagrees",
                          .severity = jobs::Severity::warned,
                          .field = subject.policy_path(replica),
                          .value = std::string(which.name),
                          .message = text});
      others.emplace_back();
    } else {
      std::string& names = others[static_cast<std::size_t>(same - findings.begin())];
      names.append(names.empty() ? "" : ", ").append(replica.canonical_type());
    }
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!others[i].empty()) findings[i].message += " (also " + others[i] + ")";
  }
  return findings;
}

}  // namespace operators
