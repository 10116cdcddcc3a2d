#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace support {

/// A job manifest as JSON, as kubectl would send it.
struct Manifest {
  std::string name;  ///< file name without folder and ending
  nlohmann::ordered_json object;
  std::vector<std::string> rules;  ///< those named in a line `# rules: a, b` of the file
};

/// Every manifest in the YAML files of `folder`, by file name. Throws if the folder is missing or
/// holds none, or a file cannot be read.
[[nodiscard]] std::vector<Manifest> load_manifests(const std::filesystem::path& folder);

/// tests/testdata/manifests/GROUP: "valid", "warned" or "invalid".
[[nodiscard]] std::vector<Manifest> test_manifests(const std::string& group);

/// One of them, by its file name without ending. Throws if there is none.
[[nodiscard]] Manifest test_manifest(const std::string& group, const std::string& name);

[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace support
