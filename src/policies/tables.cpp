#include "policies/tables.h"

#include "exit_codes/annotation.h"
#include "policies/cel.h"

namespace policies {
namespace {

const std::string kTable = cel_string(exit_codes::kTableAnnotation);
const std::string kProfileKey = cel_string(exit_codes::kProfileAnnotation);

/// The annotations at the CEL expression `holder` as a map, empty where there are none.
std::string map_of(const std::string& holder) {
  return annotations_of(holder) + ".map(a, dyn(a))[?0].orValue(dyn({}))";
}

/// Whether the annotations `map` have inputs that CEL cannot make a table of.
std::string has_lists(const std::string& map) {
  return "[" + cel_string(exit_codes::kRetryableAnnotation) + ", " +
         cel_string(exit_codes::kPermanentAnnotation) + ", " +
         cel_string(exit_codes::kMaxRetriesAnnotation) + "].exists(i, i in " + map + ")";
}

/// The patches that make `value` the table of what stands at `holder` and has the pointer `path`.
std::string patch(const std::string& holder, const std::string& path, const std::string& value) {
  const std::string has_metadata = has_map(holder, "metadata");
  return "(" + has_metadata + " ? [] : [JSONPatch{op: 'add', path: " + path +
         " + '/metadata', value: {}}]) + (" + has_metadata + " && " +
         has_map(holder + ".metadata", "annotations") +
         " ? [] : [JSONPatch{op: 'add', path: " + path +
         " + '/metadata/annotations', value: {}}]) + [JSONPatch{op: 'add', path: " + path +
         " + '/metadata/annotations/' + jsonpatch.escapeKey(" + kTable + "), value: " + value +
         "}]";
}

std::string profile_of(const admission::Settings& settings, const admission::NamespaceRule* rule) {
  return rule == nullptr ? settings.profile : rule->profile;
}

}  // namespace

std::string by_namespace(const admission::Settings& settings,
                         std::string (*value)(const admission::Settings&,
                                              const admission::NamespaceRule*)) {
  std::string out;
  for (const admission::NamespaceRule& rule : settings.namespaces) {
    std::string any;
    for (const std::string& glob : rule.match) {
      any += (any.empty() ? "" : "|") + glob_to_regex(glob);
    }
    out += "request.namespace.matches(" + cel_string("^(" + any + ")$") + ") ? " +
           cel_string(value(settings, &rule)) + " : ";
  }
  return out + cel_string(value(settings, nullptr));
}

std::vector<Variable> table_variables(const admission::Settings& settings) {
  std::string tables;
  for (const exit_codes::Table& table : settings.profiles.all()) {
    tables += (tables.empty() ? "" : ", ") + cel_string(table.profile) + ": " +
              cel_string(exit_codes::encode(table));
  }
  const std::string own = "variables.own";
  const std::string of_replica =
      "{'name': r.name, 'template': r.template, 'index': r.index, 'own': dyn(" +
      map_of("r.template") +
      "), 'old': variables.oldReplicas.filter(o, o.name == r.name).map(o, dyn(" +
      map_of("o.template") + "))[?0].orValue(dyn({}))}";
  return {
      {"tables", "{" + tables + "}"},
      {"fallback", by_namespace(settings, profile_of)},
      {"own", map_of("object")},
      {"old", "request.operation == 'UPDATE' ? " + map_of("oldObject") + " : dyn({})"},
      {"profile", own + "[?" + kProfileKey + "].orValue(variables.fallback)"},
      {"carriers",
       "variables.replicas.filter(r, variables.listed || r.policy == 'ExitCode').map(r, " +
           of_replica + ")"},
  };
}

std::string table_patches() {
  // A table that is there stays on UPDATE, one that was there comes back.
  const auto wanted = [](const std::string& map) {
    return "(request.operation == 'CREATE' || !(" + kTable + " in " + map + "))";
  };
  const auto value = [](const std::string& old, const std::string& profile) {
    return old + "[?" + kTable + "].orValue(variables.tables[" + profile + "])";
  };
  const auto possible = [](const std::string& old, const std::string& lists,
                           const std::string& profile) {
    return "(" + kTable + " in " + old + " || (!(" + lists + ") && " + profile +
           " in variables.tables))";
  };
  const std::string job =
      wanted("variables.own") + " && " +
      possible("variables.old", has_lists("variables.own"), "variables.profile") + " ? " +
      patch("object", "''", value("variables.old", "variables.profile")) + " : []";
  const std::string profile = "r.own[?" + kProfileKey + "].orValue(variables.profile)";
  const std::string path =
      "'/spec/' + variables.field + '/' + jsonpatch.escapeKey(string(r.index)) + '/template'";
  const std::string replicas =
      "variables.carriers.map(r, " + wanted("r.own") + " && " +
      possible("r.old", has_lists("variables.own") + " || " + has_lists("r.own"), profile) + ", " +
      patch("r.template", path, value("r.old", profile)) + ").flatten()";
  return "(" + job + ") + " + replicas;
}

}  // namespace policies
