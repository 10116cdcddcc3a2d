#include "cli/classify_pods.h"

#include <algorithm>
#include <iostream>
#include <variant>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "exit_codes/annotation.h"
#include "exit_codes/pod_json.h"
#include "jobs/kind.h"
#include "yaml/json.h"
#include "yaml/json_stream.h"
#include "yaml/parse.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

/// The string at `path`; empty where something else is there, or nothing.
std::string text_at(const Json& object, const char* path) {
  const Json::json_pointer pointer(path);
  if (!object.contains(pointer)) return {};
  const Json& value = object.at(pointer);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string name_of(const Json& pod) {
  const std::string name_space = text_at(pod, "/metadata/namespace");
  const std::string name = text_at(pod, "/metadata/name");
  return (name_space.empty() ? "" : name_space + "/") + (name.empty() ? "a pod" : name);
}

/// The container whose exit code counts for the job that owns `pod`; empty where it is not known.
std::string container_of(const Json& pod) {
  const Json::json_pointer owners("/metadata/ownerReferences");
  if (!pod.contains(owners) || !pod.at(owners).is_array()) return {};
  for (const Json& owner : pod.at(owners)) {
    const auto kind = std::ranges::find(jobs::kinds(), text_at(owner, "/kind"), &jobs::Kind::name);
    if (kind != jobs::kinds().end()) return std::string(kind->container);
  }
  return {};
}

class Judge {
 public:
  explicit Judge(const PodQuestion& question) : question_(question) {}

  void judge(const Json& object) {
    if (text_at(object, "/kind").ends_with("List") && object.contains("items") &&
        object["items"].is_array()) {
      for (const Json& item : object["items"]) judge(item);
      return;
    }
    if (text_at(object, "/kind") != "Pod") {
      fail("this is no Pod and no List of Pods, as 'kubectl get pod POD -o json' prints them");
      return;
    }
    judge_pod(object);
  }

  void fail(const std::string& message) {
    std::cerr << "tfjob-webhook: " << message << '\n';
    status_ = ExitStatus::unreadable;
  }

  [[nodiscard]] int status() const noexcept { return status_; }

 private:
  void judge_pod(const Json& object) {
    const std::string name = name_of(object);
    const std::string phase = text_at(object, "/status/phase");
    if (phase != "Failed" && phase != "Succeeded") {
      std::cout << name << ": has not ended" << (phase.empty() ? "" : ": it is " + phase) << '\n';
      return;
    }
    const auto pod = exit_codes::decode_pod(object.dump());
    if (const auto* const error = std::get_if<exit_codes::DecodeError>(&pod)) {
      fail(name + ": " + error->message);
      return;
    }
    const std::string annotation =
        text_at(object, "/metadata/annotations/exit-codes.kubeflow.org~1table");
    const auto own = exit_codes::read_table(annotation, "");
    const auto* const table = std::get_if<exit_codes::Table>(&own);
    const std::string container =
        question_.container.empty() ? container_of(object) : question_.container;
    const exit_codes::Decision decision =
        exit_codes::decide(table != nullptr ? *table : *question_.table,
                           std::get<exit_codes::Pod>(pod), container, question_.retries);
    std::cout << name << ": " << to_text(decision);
    if (table == nullptr) {
      std::cout << "the pod carries no table that can be read"
                << (annotation.empty()
                        ? ""
                        : " (" + std::get<exit_codes::DecodeError>(own).message + ")")
                << ": judged by profile " << question_.table->profile << '\n';
    }
  }

  const PodQuestion& question_;
  int status_ = ExitStatus::ok;
};

}  // namespace

int classify_pods(std::string_view text, const PodQuestion& question) {
  const yaml::Stream stream =
      yaml::looks_like_json(text) ? yaml::parse_json_stream(text) : yaml::parse_stream(text);
  Judge judge(question);
  for (const yaml::Document& document : stream.documents) {
    const auto object = yaml::to_json(document.root);
    if (object) {
      judge.judge(*object);
    } else {
      judge.fail("standard input: " + object.error().message);
    }
  }
  if (stream.error) {
    judge.fail("standard input:" + std::to_string(stream.error->mark.line) + ":" +
               std::to_string(stream.error->mark.column) + ": " + stream.error->message);
  } else if (stream.documents.empty()) {
    judge.fail("standard input is empty: give it what 'kubectl get pod POD -o json' prints");
  }
  return judge.status();
}

std::string to_text(const exit_codes::Decision& decision) {
  std::string text;
  if (decision.cause == exit_codes::Cause::succeeded) {
    text = "succeeded";
  } else if (decision.verdict == exit_codes::Verdict::undefined) {
    text = "undefined, handled as " + std::string(exit_codes::to_string(decision.handled_as));
  } else {
    text = exit_codes::to_string(decision.verdict);
  }
  return text + "\n" + decision.because + "\n";
}

}  // namespace cli
