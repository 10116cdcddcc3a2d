#include "sources/job_finder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "jobs/kind.h"
#include "jobs/text.h"
#include "yaml/json.h"

namespace sources {
namespace {

constexpr std::string_view kPrefix = "kubeflow.org/";
constexpr std::string_view kListSuffix = "List";
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

bool is_our_kind(std::string_view name) {
  return std::ranges::find(jobs::kinds(), name, &jobs::Kind::name) != jobs::kinds().end();
}

/// The text of the scalar at `key` of a mapping; empty if there is none.
std::string_view text_at(const yaml::Node& mapping, std::string_view key) {
  const yaml::Node* const value = mapping.find(key);
  return value == nullptr ? std::string_view() : value->text();
}

/// What an object says that it is.
struct Type {
  std::string_view api_version;
  std::string_view kind;

  [[nodiscard]] bool empty() const { return api_version.empty() && kind.empty(); }
  [[nodiscard]] bool is_job() const {
    return api_version.starts_with(kPrefix) && is_our_kind(kind);
  }
};

/// A key or an index on the way to a node.
struct ScanStep {
  std::string_view name;
  std::size_t index = 0;  ///< where `name` has no data
};

/// The kind of a job that stands in the text of a string, or empty.
std::string_view kind_in_string(std::string_view text) {
  if (text.find(kPrefix) == std::string_view::npos) return {};
  constexpr std::string_view kKey = "kind";
  for (std::size_t at = text.find(kKey); at != std::string_view::npos;
       at = text.find(kKey, at + 1)) {
    std::string_view rest = text.substr(at + kKey.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("\"' :\\"), rest.size()));
    const auto kind = std::ranges::find_if(jobs::kinds(), [&](const jobs::Kind& row) {
      if (!rest.starts_with(row.name)) return false;
      const std::string_view behind = rest.substr(row.name.size(), 1);
      return behind.empty() || std::string_view("\"'\\ \r\n,}").contains(behind.front());
    });
    if (kind != jobs::kinds().end()) return kind->name;
  }
  return {};
}

class JobFinder {
 public:
  JobFinder(std::size_t document, Source& source) : document_(document), source_(source) {}

  /// `inherited` is what an item of a typed list is where it does not say.
  void visit(const yaml::Node& node, const yaml::Node* key, std::string_view name_space,
             Type inherited, bool stands_alone) {
    // What an alias stands for is looked at where its anchor is.
    if (node.is_alias()) return;
    if (node.is_scalar()) return visit_string(node, key);
    if (node.is_sequence()) {
      for (std::size_t index = 0; index < node.items().size(); ++index) {
        steps_.push_back({{}, index});
        visit(node.items()[index], nullptr, name_space, {}, false);
        steps_.pop_back();
      }
      return;
    }
    tell_double_keys(node);
    Type type{text_at(node, "apiVersion"), text_at(node, "kind")};
    if (type.empty()) type = inherited;
    if (const yaml::Node* const metadata = node.find("metadata"); metadata != nullptr) {
      if (const auto own = text_at(*metadata, "namespace"); !own.empty()) name_space = own;
    }
    // Not a mere reference to a job: an owner, a target.
    const bool whole =
        stands_alone || node.find("spec") != nullptr || node.find("metadata") != nullptr;
    if (type.is_job() && whole) add_job(node, key, name_space, type);
    visit_entries(node, name_space, type);
  }

 private:
  void visit_entries(const yaml::Node& node, std::string_view name_space, Type type) {
    const bool is_list = type.kind.ends_with(kListSuffix);
    const Type item_type{
        type.api_version,
        type.kind.substr(0, type.kind.size() - (is_list ? kListSuffix.size() : 0))};
    for (const yaml::Entry& entry : node.entries()) {
      if (entry.merged) continue;
      steps_.push_back({entry.name});
      if (is_list && entry.name == "items" && entry.value.is_sequence()) {
        for (std::size_t index = 0; index < entry.value.items().size(); ++index) {
          steps_.push_back({{}, index});
          visit(entry.value.items()[index], nullptr, name_space, item_type, true);
          steps_.pop_back();
        }
      } else {
        visit(entry.value, &entry.key, name_space, {}, false);
      }
      steps_.pop_back();
    }
  }

  void visit_string(const yaml::Node& node, const yaml::Node* key) {
    if (key != nullptr && key->text() == kLastApplied) return;
    const std::string_view kind = kind_in_string(node.text());
    if (kind.empty()) return;
    source_.notes.push_back({node.place(), "a " + std::string(kind) +
                                               " stands in this string and is not checked: what "
                                               "makes an object of it can be checked by a pipe "
                                               "into 'tfjob-webhook lint -'"});
  }

  void tell_double_keys(const yaml::Node& mapping) {
    const auto entries = mapping.entries();
    constexpr std::size_t kFew = 12;
    std::unordered_map<std::string_view, const yaml::Entry*> seen;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const yaml::Entry& entry = entries[i];
      if (entry.merged) continue;
      const yaml::Entry* first = nullptr;
      if (entries.size() <= kFew) {
        const auto same = [&](const yaml::Entry& other) {
          return !other.merged && other.name == entry.name;
        };
        const auto found = std::ranges::find_if(entries.first(i), same);
        if (found != entries.first(i).end()) first = &*found;
      } else if (const auto [found, is_new] = seen.try_emplace(entry.name, &entry); !is_new) {
        first = found->second;
      }
      if (first == nullptr) continue;
      source_.errors.push_back(
          {"duplicate-key", entry.key.place(),
           "the key " + jobs::quoted(entry.name) + " is given twice, first in line " +
               std::to_string(first->key.mark().line) +
               ": readers disagree which one counts (kubectl takes the last); remove one"});
    }
  }

  void add_job(const yaml::Node& node, const yaml::Node* key, std::string_view name_space,
               Type type) {
    Job job{
        .kind = jobs::find_kind(jobs::kGroup, type.api_version.substr(kPrefix.size()), type.kind),
        .api_version = std::string(type.api_version),
        .kind_name = std::string(type.kind),
        .name = {},
        .name_space = std::string(name_space),
        .document = document_,
        .path = path(),
        .node = node,
        .key = key == nullptr ? std::nullopt : std::optional(*key),
        .json = {}};
    if (const yaml::Node* const metadata = node.find("metadata"); metadata != nullptr) {
      job.name = text_at(*metadata, "name");
      if (job.name.empty()) job.name = text_at(*metadata, "generateName");
    }
    if (job.kind != nullptr) {
      auto json = yaml::to_json(node);
      if (json) {
        job.json = json->dump();
        job.json.reserve(job.json.size() + simdjson::SIMDJSON_PADDING);
      } else {
        source_.errors.push_back({"invalid-yaml",
                                  {json.error().mark, kUnknownOffset, kUnknownOffset},
                                  std::move(json).error().message});
      }
    }
    source_.jobs.push_back(std::move(job));
  }

  [[nodiscard]] std::string path() const {
    std::string path;
    for (const ScanStep& step : steps_) {
      if (step.name.data() == nullptr) {
        path += "[" + std::to_string(step.index) + "]";
      } else {
        if (!path.empty()) path += '.';
        path += step.name;
      }
    }
    return path;
  }

  std::size_t document_;
  Source& source_;
  std::vector<ScanStep> steps_;
};

}  // namespace

void find_jobs(const yaml::Node& root, std::size_t document, Source& source) {
  JobFinder(document, source).visit(root, nullptr, {}, {}, true);
}

}  // namespace sources
