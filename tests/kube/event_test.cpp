#include "kube/event.h"

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"

namespace {

kube::Event event() {
  return {.about = {.api_version = "kubeflow.org/v1",
                    .kind = "TFJob",
                    .name_space = "team",
                    .name = "mnist",
                    .uid = "u"},
          .warning = true,
          .reason = "ExitCodePermanent",
          .message = "pod a ended"};
}

nlohmann::json object_of(const kube::Event& event, unsigned long number = 1) {
  const auto now = std::chrono::system_clock::from_time_t(1'796'083'200);
  const auto request = kube::create_event(event, "tfjob-enforcer", "one", now, number);
  CHECK(request.method == "POST");
  CHECK(request.path == "/api/v1/namespaces/team/events");
  return nlohmann::json::parse(request.body);
}

}  // namespace

TEST_CASE("An Event names its object, its reason and its reporter", "[kube][event]") {
  const auto object = object_of(event());
  CHECK(object["involvedObject"] == nlohmann::json{{"apiVersion", "kubeflow.org/v1"},
                                                   {"kind", "TFJob"},
                                                   {"namespace", "team"},
                                                   {"name", "mnist"},
                                                   {"uid", "u"}});
  CHECK(object["type"] == "Warning");
  CHECK(object["reason"] == "ExitCodePermanent");
  CHECK(object["message"] == "pod a ended");
  CHECK(object["source"]["component"] == "tfjob-enforcer");
  CHECK(object["reportingInstance"] == "one");
  CHECK(object["firstTimestamp"] == "2026-12-01T00:00:00Z");
  CHECK(object["count"] == 1);
}

TEST_CASE("Two Events of one object have two names, however long its own", "[kube][event]") {
  kube::Event long_one = event();
  long_one.about.name = std::string(253, 'a');
  const std::string first = object_of(long_one, 1)["metadata"]["name"];
  const std::string second = object_of(long_one, 2)["metadata"]["name"];
  CHECK(first != second);
  CHECK(first.size() <= 253);
}

TEST_CASE("A message is cut to what the API server takes, and may be any bytes", "[kube][event]") {
  kube::Event any = event();
  any.message = std::string(1023, 'x') + "\xC3\xA4 and more";
  CHECK(object_of(any)["message"] == std::string(1023, 'x'));
  any.message = "\xFF";
  CHECK(object_of(any)["message"] == "\xEF\xBF\xBD");
}

TEST_CASE("Text is cut between characters", "[kube][event]") {
  CHECK(kube::cut("abc", 3) == "abc");
  CHECK(kube::cut("abc", 2) == "ab");
  CHECK(kube::cut("a\xE2\x82\xAC", 3) == "a");
  CHECK(kube::cut("a\xE2\x82\xAC", 4) == "a\xE2\x82\xAC");
  CHECK(kube::cut("\xE2\x82\xAC", 2).empty());
}
