#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/kind.h"
#include "yaml/node.h"

namespace sources {

/// A training job of one of our kinds in a source file: a document of its own, an item of a List,
/// or an object within another one (Katib's `trialSpec`, an AppWrapper, ...).
struct Job {
  const jobs::Kind* kind = nullptr;  ///< null: a version of our kind that is not checked
  std::string api_version;           ///< `kubeflow.org/v1`
  std::string kind_name;             ///< `TFJob`
  std::string name;                  ///< `metadata.name`, else `generateName`, else empty
  std::string name_space;  ///< `metadata.namespace`, else that of the object around it, else empty
  std::size_t document = 0;  ///< number of its document in the file, from 0
  /// Where it stands in its document: `items[2]`, `spec.trialTemplate.trialSpec`; empty for the
  /// document itself.
  std::string path;
  yaml::Node node;                ///< a mapping
  std::optional<yaml::Node> key;  ///< the key whose value it is; none for documents and items
  /// What kubectl sends of it, with the padding behind it that simdjson needs. Empty where `kind`
  /// is null or it cannot be written as JSON, of which there is an error.
  std::string json;
};

/// Why a file, or a part of it, cannot be read as meant.
struct Error {
  std::string_view rule;  ///< `invalid-yaml`, `duplicate-key` or `unrendered-template`; static
  yaml::Place at;         ///< ends where it begins if it is a point
  std::string message;    ///< what is wrong and what to do about it
};

/// Something worth knowing that is no fault.
struct Note {
  yaml::Place at;
  std::string message;
};

/// What a source file has in it.
struct Source {
  std::vector<Job> jobs;      ///< in the order of the file
  std::vector<Error> errors;  ///< by place; the jobs before them can be judged all the same
  std::vector<Note> notes;    ///< jobs inside strings, by place
};

/// Reads a file as kubectl does: any number of YAML documents, or JSON objects one after the other,
/// with or without a byte order mark. Other kinds are passed over. Never throws for what is in
/// `text`; time and memory are bounded by its size (see yaml/parse.h). Thread-safe.
[[nodiscard]] Source read_source(std::string_view text);

}  // namespace sources
