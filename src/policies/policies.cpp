#include "policies/policies.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "jobs/kind.h"
#include "policies/cel.h"
#include "policies/tables.h"
#include "policies/validations.h"
#include "policies/variables.h"

namespace policies {
namespace {

using admission::Enforcement;
using admission::Settings;

constexpr std::string_view kHead =
    R"(# The webhook's rules as admission policies, for Kubernetes 1.36 and later; made by 'tfjob-webhook policies'.
# A net under the webhook, or in its place where nobody wants to run a server. What they leave out:
# - messages name the replicas and the mend, but no near misses, and have no field paths;
# - warnings and audit annotations of rules that do not deny;
# - a job with retryable, permanent or max-retries of its own gets no table (they are checked): CEL cannot
#   make one. The webhook, which is asked after these policies, does;
# - on UPDATE a table is put back where it is missing, but neither is an edit undone, nor a table made anew
#   after a change of the inputs, nor taken from a template that is no longer under ExitCode;
# - lint, explain, and everything after admission.
)";

struct Action {
  Enforcement enforcement;
  std::string_view name;     ///< of the policy: a suffix
  std::string_view actions;  ///< of the binding
};

constexpr std::array kActions{Action{Enforcement::deny, "deny", "[Deny]"},
                              Action{Enforcement::warn, "warn", "[Warn, Audit]"},
                              Action{Enforcement::audit, "audit", "[Audit]"}};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

/// `expression` as a literal block behind a key at `indent`.
std::string block(const std::string& expression, std::size_t indent) {
  return "|-\n" + std::string(indent + 2, ' ') + expression + "\n";
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return "[" + out + "]";
}

std::string constraints() {
  std::vector<std::string> versions;
  std::vector<std::string> resources;
  const auto add = [](std::vector<std::string>& to, std::string text) {
    if (std::ranges::find(to, text) == to.end()) to.push_back(std::move(text));
  };
  for (const jobs::Kind& kind : jobs::kinds()) {
    for (const std::string_view version : kind.versions) add(versions, std::string(version));
    add(resources, lower(kind.name) + "s");
  }
  return "  matchConstraints:\n"
         "    namespaceSelector:\n"
         "      matchExpressions:\n"
         "      - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}\n"
         "    resourceRules:\n"
         "    - apiGroups: [" +
         std::string(jobs::kGroup) + "]\n      apiVersions: " + joined(versions) +
         "\n      operations: [CREATE, UPDATE]\n      resources: " + joined(resources) + "\n";
}

std::string enforcement_of(const Settings& settings, const admission::NamespaceRule* rule) {
  return std::string(to_string(rule == nullptr ? settings.enforcement : rule->enforcement));
}

/// Objects that are going must be let go, and each policy holds where its enforcement does.
std::string conditions(const Settings& settings, std::string_view enforcement) {
  std::string out =
      "  matchConditions:\n"
      "  - name: not-deleting\n"
      "    expression: \"!has(object.metadata.deletionTimestamp)\"\n"
      // Another version that the CRD may have is not ours.
      "  - name: known-version\n    expression: " +
      block(
          "(request.kind.kind + '/' + request.kind.version) in " +
              [] {
                std::vector<std::string> keys;
                for (const jobs::Kind& kind : jobs::kinds()) {
                  for (const std::string_view version : kind.versions) {
                    keys.push_back(std::string(kind.name) + "/" + std::string(version));
                  }
                }
                return cel_list(keys);
              }(),
          4);
  if (!enforcement.empty() && !settings.namespaces.empty()) {
    out +=
        "  - name: enforcement\n    expression: " +
        block("(" + by_namespace(settings, enforcement_of) + ") == " + cel_string(enforcement), 4);
  }
  return out;
}

std::string write_variables(const std::vector<Variable>& variables) {
  std::string out;
  for (const Variable& variable : variables) {
    out += "  - name: " + variable.name + "\n    expression: " + block(variable.expression, 4);
  }
  return out;
}

std::string head_of(std::string_view kind, const std::string& name) {
  return "---\napiVersion: admissionregistration.k8s.io/v1\nkind: " + std::string(kind) +
         "\nmetadata:\n  name: " + name + "\nspec:\n";
}

std::string validating(const Settings& settings, const Action& action) {
  const std::string name = "tfjob-policy-" + std::string(action.name);
  std::string out = head_of("ValidatingAdmissionPolicy", name) + "  failurePolicy: Fail\n" +
                    constraints() + conditions(settings, to_string(action.enforcement)) +
                    "  variables:\n" + write_variables(job_variables()) +
                    write_variables(validation_variables(settings)) + "  validations:\n";
  for (const Validation& validation : validations(settings)) {
    out += "  # " + validation.rule + "\n  - expression: " + block(validation.expression, 4) +
           "    messageExpression: " + block(validation.message, 4) + "    reason: Invalid\n";
  }
  return out + head_of("ValidatingAdmissionPolicyBinding", name) + "  policyName: " + name +
         "\n  validationActions: " + std::string(action.actions) + "\n";
}

std::string mutating(const Settings& settings) {
  const std::string name = "tfjob-policy-tables";
  return head_of("MutatingAdmissionPolicy", name) +
         // A job that cannot be annotated is not refused for that: the rules above tell why.
         "  failurePolicy: Ignore\n  reinvocationPolicy: IfNeeded\n" + constraints() +
         conditions(settings, "") + "  variables:\n" + write_variables(job_variables()) +
         write_variables(table_variables(settings)) +
         "  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n      expression: " +
         block(table_patches(), 6) + head_of("MutatingAdmissionPolicyBinding", name) +
         "  policyName: " + name + "\n";
}

}  // namespace

std::string write_policies(const Settings& settings) {
  std::set<Enforcement> occurring{settings.enforcement};
  for (const admission::NamespaceRule& rule : settings.namespaces) {
    occurring.insert(rule.enforcement);
  }
  std::string out(kHead);
  for (const Action& action : kActions) {
    if (occurring.contains(action.enforcement)) out += validating(settings, action);
  }
  return out + mutating(settings);
}

}  // namespace policies
