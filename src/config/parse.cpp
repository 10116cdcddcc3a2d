#include "yaml/parse.h"

#include <algorithm>
#include <array>

#include "config/config.h"
#include "config/fields.h"
#include "config/namespaces.h"
#include "config/profiles.h"
#include "exit_codes/quote.h"
#include "operators/operator.h"
#include "yaml/scalar.h"

namespace config {
namespace {

constexpr std::array<std::string_view, 8> kKeys = {"apiVersion",  "kind",      "profile",
                                                   "enforcement", "operator",  "evidence",
                                                   "profiles",    "namespaces"};
constexpr std::array<std::string_view, 2> kEvidence = {"none", "finalizer"};

/// `apiVersion` and `kind` tell a file for somebody else, or from another time.
void check_identity(const yaml::Node& root, std::string_view key, std::string_view expected,
                    ErrorList& errors) {
  const std::string line = std::string(key) + ": " + std::string(expected);
  const yaml::Node* const node = root.find(key);
  if (node == nullptr) {
    errors.add(root.mark(), std::string(key) + " is missing: write '" + line + "'");
  } else if (!node->is_scalar() || node->text() != expected) {
    const std::string what =
        node->is_scalar() ? exit_codes::quote(node->text()) : std::string(describe_type(*node));
    errors.add(node->mark(),
               std::string(key) + ": " + what + " cannot be read here: write '" + line + "'");
  }
}

std::optional<std::string> read_operator(const yaml::Node& node, ErrorList& errors) {
  const auto text = read_string(node, "operator", errors);
  if (!text) return std::nullopt;
  const auto found = operators::find_operator(*text);
  if (found) return std::string((*found)->name);
  errors.add(node.mark(), "operator: " + found.error());
  return std::nullopt;
}

admission::Settings read_settings(const yaml::Node& root, ErrorList& errors) {
  admission::Settings settings;
  check_identity(root, "apiVersion", kApiVersion, errors);
  check_identity(root, "kind", kKind, errors);

  // Profiles first: what follows names them.
  ProfileSet known;
  if (const auto* const node = root.find("profiles")) known = read_profiles(*node, errors);
  if (const auto* const node = root.find("profile")) {
    settings.profile =
        read_profile_name(*node, "profile", known, errors).value_or(settings.profile);
  }
  if (const auto* const node = root.find("enforcement")) {
    settings.enforcement =
        read_enforcement(*node, "enforcement", errors).value_or(settings.enforcement);
  }
  if (const auto* const node = root.find("operator")) {
    settings.operator_version =
        read_operator(*node, errors).value_or(std::move(settings.operator_version));
  }
  if (const auto* const node = root.find("evidence")) {
    const auto word = read_word(*node, "evidence", kEvidence, errors);
    if (word)
      settings.evidence = *word == 0 ? admission::Evidence::none : admission::Evidence::finalizer;
  }
  if (const auto* const node = root.find("namespaces")) {
    settings.namespaces = read_namespaces(*node, settings, known, errors);
  }
  settings.profiles = std::move(known.profiles);
  settings.rendered = admission::render(settings.profiles);
  return settings;
}

}  // namespace

std::expected<admission::Settings, std::vector<Error>> parse(std::string_view text,
                                                             std::string_view file_name) {
  ErrorList errors(file_name);
  const auto fail = [&](const yaml::Mark& mark, std::string message) {
    errors.add(mark, std::move(message));
    return std::unexpected(std::move(errors).take());
  };
  auto documents = yaml::parse(text);
  if (!documents) return fail(documents.error().mark, documents.error().message);
  std::erase_if(*documents, [](const auto& document) { return yaml::is_null(document.root); });
  if (documents->empty()) {
    return fail({}, "the file is empty: begin it with 'apiVersion: " + std::string(kApiVersion) +
                        "' and 'kind: " + std::string(kKind) + "'");
  }
  if (documents->size() > 1) {
    return fail(documents->at(1).root.mark(),
                "a second document begins here: put all settings into one, without '---'");
  }
  const yaml::Node& root = documents->front().root;
  if (!check_mapping(root, "", kKeys, errors)) {
    return std::unexpected(std::move(errors).take());
  }
  admission::Settings settings = read_settings(root, errors);
  if (!errors.empty()) return std::unexpected(std::move(errors).take());
  return settings;
}

}  // namespace config
