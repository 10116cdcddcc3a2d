#include "sources/files.h"

#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

namespace fs = std::filesystem;

namespace {

/// A folder, and what is found in it, paths relative to it.
class Folder {
 public:
  support::TemporaryDirectory root;

  std::vector<std::string> paths(const std::vector<std::string>& arguments) const {
    std::vector<std::string> found;
    for (const std::string& path : find(arguments).paths) found.push_back(relative(path));
    return found;
  }
  std::vector<std::string> errors(const std::vector<std::string>& arguments) const {
    std::vector<std::string> found;
    for (const auto& [path, message] : find(arguments).errors) {
      found.push_back(relative(path) + ": " + message);
    }
    return found;
  }

 private:
  sources::Files find(std::vector<std::string> arguments) const {
    for (std::string& argument : arguments) argument.insert(0, root.path().string() + "/");
    return sources::find_files(arguments);
  }
  std::string relative(const std::string& path) const {
    return path.substr(root.path().string().size() + 1);
  }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a folder stands for the manifests below it", "[sources][files]") {
  const Folder folder;
  for (const char* const name : {"b.yaml", "a.yml", "sub/c.json", "sub/d.txt", ".git/e.yaml",
                                 ".f.yaml", "sub/deeper/g.yaml", "h.YAML"}) {
    folder.root.write(name, "");
  }
  CHECK(folder.paths({""}) == Lines{"a.yml", "b.yaml", "sub/c.json", "sub/deeper/g.yaml"});
  CHECK(folder.paths({"sub", "sub/c.json", "sub/d.txt"}) ==
        Lines{"sub/c.json", "sub/deeper/g.yaml", "sub/d.txt"});
}

TEST_CASE("patterns are expanded where the shell did not", "[sources][files]") {
  const Folder folder;
  for (const char* const name : {"a.yaml", "b.yaml", "x[1].yaml", "sub/c.yaml", "sub/deeper/d.yaml",
                                 "sub/e.txt", ".f.yaml"}) {
    folder.root.write(name, "");
  }
  CHECK(folder.paths({"*.yaml"}) == Lines{"a.yaml", "b.yaml", "x[1].yaml"});
  CHECK(folder.paths({"[ab].yaml"}) == Lines{"a.yaml", "b.yaml"});
  CHECK(folder.paths({"x[1].yaml"}) == Lines{"x[1].yaml"});
  CHECK(folder.paths({"s*/c.yaml"}) == Lines{"sub/c.yaml"});
  CHECK(folder.paths({"**/*.yaml"}) ==
        Lines{"a.yaml", "b.yaml", "x[1].yaml", "sub/c.yaml", "sub/deeper/d.yaml"});
  CHECK(folder.paths({"su?"}) == Lines{"sub/c.yaml", "sub/deeper/d.yaml"});
  CHECK(folder.errors({"*.json"}) == Lines{"*.json: no file matches this pattern"});
  CHECK(folder.errors({"no/*.json"}) == Lines{"no/*.json: no file matches this pattern"});
}

TEST_CASE("what cannot be found is told, and the rest is found", "[sources][files]") {
  const Folder folder;
  folder.root.write("a.yaml", "");
  folder.root.write("empty/note.txt", "");
  fs::create_symlink("nowhere", folder.root.path() / "dangling.yaml");
  fs::create_symlink("nowhere", folder.root.path() / "dangling.txt");
  fs::create_symlink("self.yaml", folder.root.path() / "self.yaml");
  REQUIRE(::mkfifo((folder.root.path() / "pipe.yaml").c_str(), 0600) == 0);
  CHECK(folder.errors({"missing.yaml", "empty", ""}) ==
        Lines{"missing.yaml: there is no such file or folder",
              "empty: has no file that ends in .yaml, .yml or .json",
              "dangling.yaml: is a symbolic link that leads nowhere",
              "pipe.yaml: is no regular file", "self.yaml: is a loop of symbolic links"});
  CHECK(folder.paths({"missing.yaml", ""}) == Lines{"a.yaml"});
}

TEST_CASE("links to folders are followed, each folder once and never around", "[sources][files]") {
  const Folder folder;
  folder.root.write("real/a.yaml", "");
  fs::create_symlink("real", folder.root.path() / "second");
  fs::create_symlink("..", folder.root.path() / "real/up");
  CHECK(folder.paths({""}) == Lines{"real/a.yaml"});
  CHECK(folder.errors({""}) ==
        Lines{"real/up: is a symbolic link that leads back to a folder it is in"});
  CHECK(folder.paths({"second"}) == Lines{"second/a.yaml"});
}

TEST_CASE("a file is read whole", "[sources][files]") {
  const support::TemporaryDirectory folder;
  const std::string text(300'000, 'x');
  CHECK(sources::read_file(folder.write("a", text).string()) == text);
  CHECK(sources::read_file(folder.write("b", "").string()) == "");
  CHECK(sources::read_file("/proc/self/status").value().starts_with("Name:"));
  CHECK(sources::read_file("/nowhere").error() == "there is no such file or folder");
  CHECK(sources::read_file("/dev/zero").error() == "is larger than 64 MiB");
  CHECK_FALSE(sources::read_file(folder.path().string()).has_value());
}
