#include "policies/variables.h"

#include <functional>
#include <string_view>

#include "jobs/kind.h"
#include "policies/cel.h"

namespace policies {
namespace {

using jobs::Kind;

/// A map literal from "KIND/VERSION" to what `value` gives of the row.
std::string by_kind(const std::function<std::string(const Kind&)>& value) {
  std::string out;
  for (const Kind& kind : jobs::kinds()) {
    for (const std::string_view version : kind.versions) {
      out += (out.empty() ? "" : ", ") +
             cel_string(std::string(kind.name) + "/" + std::string(version)) + ": " + value(kind);
    }
  }
  return "{" + out + "}[variables.key]";
}

/// The variables about `object` or `oldObject`; names of the latter begin with `prefix`, "old".
std::vector<Variable> variables_of(const std::string& object, const std::string& exists,
                                   const std::function<std::string(const std::string&)>& name) {
  const std::string specs = "variables." + name("specs");
  const std::string entries_of_list =
      "lists.range(size(" + specs + ")).map(i, {'name': dyn(type(" + specs + "[i]) == map ? " +
      specs + "[i].?tfReplicaType.orValue('MASTER') : ''), 'index': dyn(string(i)), 'raw': dyn(" +
      specs + "[i])})";
  const std::string entries_of_map =
      specs + ".map(k, {'name': dyn(k), 'index': dyn(k), 'raw': dyn(" + specs + "[k])})";
  const std::string policy = "variables.listed ? (" + has_map("e.raw.template", "spec") +
                             " ? e.raw.template.spec.?restartPolicy.orValue(null) : null)"
                             " : e.raw.?restartPolicy.orValue(null)";
  const std::string found =
      has_map(object, "spec") + " ? " + object + ".spec[?variables.field].orValue(null) : null";
  const std::string annotations = annotations_of(object) + " + variables." + name("replicas") +
                                  ".map(r, " + annotations_of("r.template") + ").flatten()";
  return {
      {name("specs"), "dyn(" + exists + found + ")"},
      {name("shaped"), "type(" + specs + ") == (variables.listed ? list : map)"},
      {name("entries"), "!variables." + name("shaped") + " ? [] : variables.listed ? " +
                            entries_of_list + " : " + entries_of_map},
      {name("replicas"),
       "variables." + name("entries") + ".filter(e, type(e.raw) == map && " +
           has_map("e.raw", "template") +
           ").map(e, {'name': e.name, 'index': e.index, 'raw': e.raw, 'template': e.raw.template, "
           "'policy': dyn(" +
           policy + ")})"},
      {name("annotations"),
       exists.empty() ? annotations : exists + "true ? " + annotations + " : []"},
  };
}

}  // namespace

std::string has_map(const std::string& holder, const std::string& field) {
  return "type(" + holder + ".?" + field + ".orValue(null)) == map";
}

std::string annotations_of(const std::string& holder) {
  return "(" + has_map(holder, "metadata") + " && " + has_map(holder + ".metadata", "annotations") +
         " ? [" + holder + ".metadata.annotations] : [])";
}

std::vector<Variable> job_variables() {
  std::vector<Variable> variables{
      {"key", "request.kind.kind + '/' + request.kind.version"},
      {"field", by_kind([](const Kind& kind) { return cel_string(kind.specs_field); })},
      {"allowed", by_kind([](const Kind& kind) { return cel_list(kind.policies); })},
      {"container", by_kind([](const Kind& kind) { return cel_string(kind.container); })},
      {"folds", by_kind([](const Kind& kind) { return kind.folds_case ? "true" : "false"; })},
      {"listed", by_kind([](const Kind& kind) {
         return kind.layout == jobs::Layout::list ? "true" : "false";
       })}};
  const auto plain = [](const std::string& name) { return name; };
  const auto old = [](const std::string& name) {
    return "old" + std::string(1, static_cast<char>(name.front() - 'a' + 'A')) + name.substr(1);
  };
  for (Variable& each : variables_of("object", "", plain)) variables.push_back(std::move(each));
  for (Variable& each : variables_of("oldObject", "request.operation == 'UPDATE' && ", old)) {
    variables.push_back(std::move(each));
  }
  return variables;
}

}  // namespace policies
