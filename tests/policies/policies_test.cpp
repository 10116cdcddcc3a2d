#include "policies/policies.h"

#include <string>
#include <vector>

#include "exit_codes/annotation.h"
#include "exit_codes/profile.h"
#include "tests/support/catch.h"
#include "yaml/json.h"
#include "yaml/parse.h"

using nlohmann::ordered_json;

namespace {

std::vector<ordered_json> documents(const admission::Settings& settings) {
  const auto parsed = yaml::parse(policies::write_policies(settings));
  REQUIRE(parsed.has_value());
  std::vector<ordered_json> all;
  for (const yaml::Document& document : *parsed) {
    const auto object = yaml::to_json(document.root);
    REQUIRE(object.has_value());
    all.push_back(*object);
  }
  return all;
}

std::vector<std::string> names(const std::vector<ordered_json>& all) {
  std::vector<std::string> found;
  found.reserve(all.size());
  for (const ordered_json& object : all) {
    found.push_back(object["kind"].get<std::string>() + "/" +
                    object["metadata"]["name"].get<std::string>());
  }
  return found;
}

}  // namespace

TEST_CASE("by default there is a policy that denies and one that writes tables", "[policies]") {
  const auto all = documents({});
  CHECK(names(all) ==
        std::vector<std::string>{"ValidatingAdmissionPolicy/tfjob-policy-deny",
                                 "ValidatingAdmissionPolicyBinding/tfjob-policy-deny",
                                 "MutatingAdmissionPolicy/tfjob-policy-tables",
                                 "MutatingAdmissionPolicyBinding/tfjob-policy-tables"});
  for (const ordered_json& object : all) {
    CHECK(object["apiVersion"] == "admissionregistration.k8s.io/v1");
  }
  const ordered_json& spec = all[0]["spec"];
  CHECK(spec["failurePolicy"] == "Fail");
  const ordered_json& rule = spec["matchConstraints"]["resourceRules"][0];
  CHECK(rule["apiGroups"] == ordered_json({"kubeflow.org"}));
  CHECK(rule["operations"] == ordered_json({"CREATE", "UPDATE"}));
  CHECK(rule["resources"] == ordered_json({"tfjobs", "pytorchjobs", "paddlejobs", "xgboostjobs",
                                           "jaxjobs", "mxjobs", "mpijobs"}));
  CHECK(rule["apiVersions"] ==
        ordered_json({"v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1", "v2beta1"}));
  CHECK(all[1]["spec"]["validationActions"] == ordered_json({"Deny"}));
  CHECK(all[1]["spec"]["policyName"] == "tfjob-policy-deny");
}

TEST_CASE("each enforcement that occurs has its own policy, which holds in its namespaces",
          "[policies]") {
  admission::Settings settings;
  settings.enforcement = admission::Enforcement::audit;
  settings.namespaces = {{.match = {"team-*", "x"},
                          .profile = "signals",
                          .enforcement = admission::Enforcement::warn}};
  const auto all = documents(settings);
  REQUIRE(all.size() == 6);
  CHECK(all[0]["metadata"]["name"] == "tfjob-policy-warn");
  CHECK(all[1]["spec"]["validationActions"] == ordered_json({"Warn", "Audit"}));
  CHECK(all[2]["metadata"]["name"] == "tfjob-policy-audit");
  CHECK(all[3]["spec"]["validationActions"] == ordered_json({"Audit"}));
  CHECK(all[0]["spec"]["matchConditions"][2]["expression"] ==
        "(request.namespace.matches('^(team-.*|x)$') ? 'warn' : 'audit') == 'warn'");
  for (const ordered_json& variable : all[4]["spec"]["variables"]) {
    if (variable["name"] != "fallback") continue;
    CHECK(variable["expression"] ==
          "request.namespace.matches('^(team-.*|x)$') ? 'signals' : 'kubeflow'");
  }
}

TEST_CASE("all profiles' tables are there, as the annotation has them", "[policies]") {
  const exit_codes::Profiles profiles;
  const std::string text = policies::write_policies({});
  for (const exit_codes::Table& table : profiles.all()) {
    CHECK(text.find("'" + table.profile + "': '" + exit_codes::encode(table) + "'") !=
          std::string::npos);
  }
}

TEST_CASE("comments say what the policies leave out", "[policies]") {
  const std::string text = policies::write_policies({});
  CHECK(text.starts_with("# The webhook's rules as admission policies, for Kubernetes 1.36"));
  CHECK(text.find("What they leave out:\n# - ") != std::string::npos);
  for (const char* const rule :
       {"malformed-job", "invalid-restart-policy", "duplicate-replica-type",
        "exit-code-container-missing", "invalid-exit-codes"}) {
    CHECK(text.find("\n  # " + std::string(rule) + "\n") != std::string::npos);
  }
}

TEST_CASE("the same settings give the same bytes", "[policies]") {
  CHECK(policies::write_policies({}) == policies::write_policies({}));
}
