#include <string_view>

#include "exit_codes/annotation.h"
#include "explain/formats.h"

namespace explain {
namespace {

using Json = nlohmann::ordered_json;
using operators::Comparison;
using operators::End;
using operators::Response;

std::string_view name_of(End end) {
  switch (end) {
    case End::codes:
      return "codes";
    case End::zero:
      return "zero";
    case End::over_255:
      return "over255";
    case End::reason:
      return "reason";
    case End::disruption:
      return "disruption";
    case End::no_exit_code:
      return "noExitCode";
    case End::retry_limit:
      break;
  }
  return "maxRetries";
}

Json name_of(const std::optional<Response>& response) {
  if (!response) return nullptr;
  switch (*response) {
    case Response::retries:
      return "retries";
    case Response::fails:
      return "fails";
    case Response::hangs:
      return "hangs";
    case Response::by_code:
      break;
  }
  return "byCode";
}

Json of_end(const Comparison& end) {
  Json json = {{"end", name_of(end.end)}};
  if (end.end == End::codes) json["codes"] = end.codes.values();
  if (end.end == End::reason) json["reason"] = end.reason;
  json["verdict"] = exit_codes::to_string(end.verdict);
  json["handledAs"] = exit_codes::to_string(end.handled_as);
  json["operator"] = name_of(end.response);
  json["differs"] = !end.agrees();
  if (!end.agrees()) json["mend"] = operators::mend(end);
  return json;
}

Json replica_json(const Replica& replica) {
  Json json = {{"type", replica.type}, {"policy", replica.policy}, {"default", replica.is_default}};
  if (!replica.note.empty()) json["note"] = replica.note;
  if (!replica.table) return json;
  json["table"] = Json::parse(exit_codes::encode(*replica.table));
  json["ends"] = Json::array();
  for (const Comparison& end : replica.ends) json["ends"].push_back(of_end(end));
  return json;
}

}  // namespace

Json to_json(const Explanation& explanation) {
  Json json = {{"kind", explanation.kind},
               {"version", explanation.version},
               {"operator", explanation.operator_name},
               {"replicas", Json::array()},
               {"notes", explanation.notes}};
  for (const Replica& replica : explanation.replicas) {
    json["replicas"].push_back(replica_json(replica));
  }
  return json;
}

}  // namespace explain
