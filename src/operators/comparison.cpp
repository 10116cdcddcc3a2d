#include "operators/comparison.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace operators {
namespace {

using exit_codes::Table;
using exit_codes::Verdict;

/// The group of `groups` with these answers, made where there is none.
Comparison& group_of(std::vector<Comparison>& groups, const Comparison& like) {
  const auto found = std::ranges::find_if(groups, [&](const Comparison& group) {
    return group.verdict == like.verdict && group.response == like.response;
  });
  if (found != groups.end()) return *found;
  groups.push_back(like);
  return groups.back();
}

Comparison of_undefined(End end, const Table& table, std::optional<Response> response) {
  return {.end = end,
          .codes = {},
          .reason = {},
          .verdict = Verdict::undefined,
          .handled_as = table.undefined,
          .response = response};
}

Comparison of_verdict(End end, Verdict verdict, std::optional<Response> response) {
  return {.end = end,
          .codes = {},
          .reason = {},
          .verdict = verdict,
          .handled_as = verdict,
          .response = response};
}

std::optional<Response> on_reason(const std::string& reason,
                                  const std::optional<Behaviour>& behaviour) {
  constexpr int kKilled = 137;
  if (!behaviour) return std::nullopt;
  if (reason != exit_codes::kOomKilled) return Response::by_code;
  return behaviour->reads_oom_killed ? Response::fails : behaviour->on_code(kKilled);
}

void add_reasons(const Table& table, const std::optional<Behaviour>& behaviour,
                 std::vector<Comparison>& all) {
  for (const auto& [reason, verdict] : table.reasons) {
    all.push_back(of_verdict(End::reason, verdict, on_reason(reason, behaviour)));
    all.back().reason = reason;
  }
}

std::string mend_permanent(const Comparison& comparison) {
  if (comparison.response == Response::hangs) {
    return "set activeDeadlineSeconds, or use training-operator 1.8 or later";
  }
  switch (comparison.end) {
    case End::retry_limit:
      return "only a controller that honours the table counts retries; activeDeadlineSeconds "
             "bounds their time";
    case End::reason:
      return "only a controller that honours the table reads reasons";
    case End::disruption:
    case End::no_exit_code:
      return "only a controller that honours the table ends the job";
    default:
      return "only a controller that honours the table ends the job; what the program can catch, "
             "it can end with 1 instead";
  }
}

std::string mend_retryable(const Comparison& comparison) {
  switch (comparison.end) {
    case End::disruption:
      return comparison.response == Response::by_code
                 ? "let the program end with 143 on SIGTERM, not with 0 or 1"
                 : "no controller beside the operator can mend it: submit the job again";
    case End::reason:
      return "no controller beside the operator can mend it where the code is not retried";
    case End::no_exit_code:
    case End::zero:
      return "no controller beside the operator can mend it: submit the job again";
    default:
      return "no controller beside the operator can mend it: let the program end with 138 instead";
  }
}

}  // namespace

bool Comparison::agrees() const noexcept {
  if (!response) return true;
  return handled_as == Verdict::retryable ? response == Response::retries
                                          : response == Response::fails;
}

std::vector<Comparison> compare_all(const Table& table, const std::optional<Behaviour>& behaviour) {
  const auto response = [&](auto of) -> std::optional<Response> {
    if (!behaviour) return std::nullopt;
    return of(*behaviour);
  };
  std::vector<Comparison> all;
  for (int code = exit_codes::kMinCode; code <= exit_codes::kMaxCode; ++code) {
    const Verdict verdict = table.verdict_of(code);
    group_of(all, {.end = End::codes,
                   .codes = {},
                   .reason = {},
                   .verdict = verdict,
                   .handled_as = table.handled_as(verdict),
                   .response = response([&](const Behaviour& b) { return b.on_code(code); })})
        .codes.insert(code);
  }
  all.push_back(
      of_undefined(End::zero, table, response([](const Behaviour& b) { return b.otherwise; })));
  all.push_back(
      of_undefined(End::over_255, table, response([](const Behaviour& b) { return b.over_255; })));
  add_reasons(table, behaviour, all);
  all.push_back(of_verdict(End::disruption, table.disruption,
                           response([](const Behaviour& b) { return b.deleted; })));
  all.push_back(of_verdict(End::no_exit_code, table.no_exit_code,
                           response([](const Behaviour& b) { return b.no_exit_code; })));
  // No operator counts how often it deleted a pod.
  if (table.max_retries) {
    all.push_back(of_verdict(End::retry_limit, Verdict::permanent,
                             response([](const Behaviour&) { return Response::retries; })));
  }
  return all;
}

std::vector<Comparison> compare(const Table& table, const Operator& which, const jobs::Kind& kind) {
  const std::optional<Behaviour> behaviour = behaviour_of(which, kind);
  if (!behaviour) return {};
  std::vector<Comparison> all = compare_all(table, behaviour);
  std::erase_if(all, [](const Comparison& comparison) { return comparison.agrees(); });
  return all;
}

std::string mend(const Comparison& comparison) {
  return comparison.handled_as == Verdict::retryable ? mend_retryable(comparison)
                                                     : mend_permanent(comparison);
}

std::string to_text(const exit_codes::CodeSet& codes) {
  const std::vector<int> values = codes.values();
  std::string text;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t last = i;
    while (last + 1 < values.size() && values[last + 1] == values[last] + 1) ++last;
    // Two in a row are no range yet.
    if (last == i + 1) last = i;
    if (!text.empty()) text += ", ";
    text += std::to_string(values[i]);
    if (last > i) text += "-" + std::to_string(values[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace operators
