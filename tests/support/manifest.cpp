#include "tests/support/manifest.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "yaml/json.h"
#include "yaml/parse.h"

namespace support {
namespace {

/// The ids in the line `# rules: a, b`.
std::vector<std::string> rules_of(const std::string& text) {
  constexpr std::string_view kMark = "# rules: ";
  const std::size_t start = text.find(kMark);
  if (start == std::string::npos) return {};
  std::istringstream line(
      text.substr(start + kMark.size(), text.find('\n', start) - start - kMark.size()));
  std::vector<std::string> rules;
  for (std::string rule; std::getline(line >> std::ws, rule, ',');) rules.push_back(rule);
  return rules;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

std::vector<Manifest> load_manifests(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);

  std::vector<Manifest> manifests;
  for (const std::filesystem::path& file : files) {
    const std::string text = read_file(file);
    const auto documents = yaml::parse(text);
    if (!documents) throw std::runtime_error(file.string() + ": " + documents.error().message);
    for (const yaml::Document& document : *documents) {
      auto object = yaml::to_json(document.root);
      if (!object) throw std::runtime_error(file.string() + ": " + object.error().message);
      manifests.push_back({file.stem().string(), std::move(*object), rules_of(text)});
    }
  }
  if (manifests.empty()) throw std::runtime_error("no manifests in " + folder.string());
  return manifests;
}

std::vector<Manifest> test_manifests(const std::string& group) {
  return load_manifests(std::filesystem::path(TESTDATA_DIR) / "manifests" / group);
}

Manifest test_manifest(const std::string& group, const std::string& name) {
  for (Manifest& manifest : test_manifests(group)) {
    if (manifest.name == name) return std::move(manifest);
  }
  throw std::runtime_error("no manifest " + group + "/" + name);
}

}  // namespace support
