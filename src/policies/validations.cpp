#include "policies/validations.h"

#include "exit_codes/annotation.h"
#include "exit_codes/table.h"
#include "jobs/kind.h"
#include "jobs/text.h"
#include "policies/cel.h"

namespace policies {
namespace {

const std::string kProfile = cel_string(exit_codes::kProfileAnnotation);
const std::string kRetryable = cel_string(exit_codes::kRetryableAnnotation);
const std::string kPermanent = cel_string(exit_codes::kPermanentAnnotation);
const std::string kMaxRetries = cel_string(exit_codes::kMaxRetriesAnnotation);

/// The first and the last code of the item at the CEL expression `item` of a sound list.
std::string first_of(const std::string& item) {
  return "(" + item + ".trim().matches('^[0-9]') ? int(" + item +
         ".trim().split('-')[0]) : variables.codes[" + item + ".trim()])";
}
std::string last_of(const std::string& item) {
  return "(" + item + ".trim().matches('^[0-9]+-') ? int(" + item +
         ".trim().split('-')[1]) : " + first_of(item) + ")";
}

/// The names of the replicas in `list`, for a message.
std::string names_in(const std::string& list) {
  return list + ".map(r, string(r.name)).join(', ')";
}

/// What annotations have at `key` that is not `sound` (a CEL expression about `v`), but for what
/// the stored object has too.
std::string unsound(const std::string& key, const std::string& sound) {
  return "variables.annotations.filter(a, " + key + " in a).map(a, a[" + key + "]).filter(v, !(" +
         sound + ") && !variables.oldAnnotations.exists(o, " + key + " in o && o[" + key +
         "] == v))";
}

std::string list_is_sound() {
  return "v.matches(variables.list) && v.split(',').all(i, " + first_of("i") +
         " <= " + last_of("i") + ")";
}

}  // namespace

std::vector<Variable> validation_variables(const admission::Settings& settings) {
  return {
      {"list", cel_string(code_list_regex())},
      {"codes", code_names_map()},
      {"badPolicies",
       "variables.replicas.filter(r, r.policy != null && r.policy != '' && !(r.policy in "
       "variables.allowed) && !variables.oldReplicas.exists(o, o.name == r.name && o.policy == "
       "r.policy))"},
      {"misnamed",
       "variables.replicas.filter(r, r.policy == 'ExitCode' && variables.container != '' && "
       "'ExitCode' in variables.allowed && !(" +
           has_map("r.template", "spec") +
           " && type(r.template.spec.?containers.orValue(null)) == list && "
           "r.template.spec.containers.exists(c, type(c) == map && c.?name.orValue('') == "
           "variables.container)) && !variables.oldReplicas.exists(o, o.name == r.name && o.policy "
           "== r.policy && o.template == r.template))"},
      {"badProfiles", unsound(kProfile, "v in " + cel_list(settings.profiles.names()))},
      {"badLimits", unsound(kMaxRetries, "v.matches('^(0|[1-9][0-9]{0,8})$')")},
      {"badLists",
       unsound(kRetryable, list_is_sound()) + " + " + unsound(kPermanent, list_is_sound())},
      {"clashing", "variables.annotations.filter(a, " + kRetryable + " in a && " + kPermanent +
                       " in a && a[" + kRetryable + "].matches(variables.list) && a[" + kPermanent +
                       "].matches(variables.list) && a[" + kRetryable +
                       "].split(',').exists(x, a[" + kPermanent + "].split(',').exists(y, " +
                       first_of("x") + " <= " + last_of("y") + " && " + first_of("y") +
                       " <= " + last_of("x") + ")) && !variables.oldAnnotations.exists(o, o[?" +
                       kRetryable + "] == a[?" + kRetryable + "] && o[?" + kPermanent + "] == a[?" +
                       kPermanent + "]))"},
  };
}

std::vector<Validation> validations(const admission::Settings& settings) {
  const auto names = settings.profiles.names();
  return {
      {"malformed-job",
       "(request.operation == 'UPDATE' && variables.specs == variables.oldSpecs) || "
       "(variables.shaped && size(variables.specs) > 0 && variables.entries.all(e, type(e.raw) == "
       "map && (" +
           has_map("e.raw", "template") +
           " || (variables.listed && e.name == 'PS' && e.raw.?template.orValue(null) == null))))",
       "'spec.' + variables.field + ': give the job at least one replica, each with a pod "
       "template'"},
      {"invalid-restart-policy", "size(variables.badPolicies) == 0",
       "'spec.' + variables.field + ': the restart policy of ' + " +
           names_in("variables.badPolicies") +
           " + ' is none: use one of ' + variables.allowed.join(', ')"},
      {"duplicate-replica-type",
       "!variables.folds || variables.entries.all(e, variables.entries.filter(o, "
       "o.name.lowerAscii() == e.name.lowerAscii()).size() == 1) || (request.operation == "
       "'UPDATE' && variables.entries.all(e, variables.oldEntries.exists(o, o.name == e.name)))",
       "'spec.' + variables.field + ': two replica types are the same but for upper and lower "
       "case, and the operator drops one of them: keep one'"},
      {"exit-code-container-missing", "size(variables.misnamed) == 0",
       "'spec.' + variables.field + ': ' + " + names_in("variables.misnamed") +
           " + ' has no container named ' + variables.container + ', the one whose exit code the "
           "operator reads under ExitCode: name the training container so'"},
      {"invalid-exit-codes", "size(variables.badProfiles) == 0",
       "'annotation ' + " + kProfile +
           " + ': there is no profile ' + variables.badProfiles.join(', ') + ': the profiles are " +
           jobs::joined(names) + "'"},
      {"invalid-exit-codes", "size(variables.badLimits) == 0",
       "'annotation ' + " + kMaxRetries +
           " + ': ' + variables.badLimits.join(', ') + ' is no number from 0 to " +
           std::to_string(exit_codes::kMaxMaxRetries) + "'"},
      {"invalid-exit-codes", "size(variables.badLists) == 0",
       "'annotations ' + " + kRetryable + " + ' and ' + " + kPermanent +
           " + ': \"' + variables.badLists.join('\", \"') + '\" is no list of codes from 1 to 255, "
           "ranges, signal names and sysexits names, separated by commas'"},
      {"invalid-exit-codes", "size(variables.clashing) == 0",
       "'annotations ' + " + kRetryable + " + ' and ' + " + kPermanent +
           " + ': one code is on both sides: take it out of one'"},
  };
}

}  // namespace policies
