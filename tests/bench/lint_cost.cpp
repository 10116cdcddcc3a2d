// What `lint` costs: the CPU time to check 1,000 manifests of 5 KB that are all jobs, as a multiple
// of what libyaml takes for the bare events of the same bytes, in the same run. Fails if it is more
// than 5. (libyaml reads 50 MB in about one second; 10,000 manifests are to be checked in five.)

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <yaml.h>

#include "lint/check.h"

namespace {

constexpr double kLimit = 5.0;
constexpr std::size_t kManifests = 1000;
constexpr std::size_t kSize = 5000;
constexpr int kRounds = 9;

std::string manifest(std::size_t number) {
  std::string text =
      "# Made by a test.\napiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata:\n  name: job-" +
      std::to_string(number) +
      "\n  namespace: team\nspec:\n  runPolicy: {cleanPodPolicy: None}\n  tfReplicaSpecs:\n"
      "    Worker:\n      replicas: 4\n      restartPolicy: OnFailure\n      template:\n"
      "        metadata:\n          annotations:\n            sidecar.istio.io/inject: \"false\"\n"
      "        spec:\n          containers:\n          - name: tensorflow\n"
      "            image: registry.example.com/team/train:v1\n"
      "            command: [\"python\", \"/opt/train.py\", \"--steps=1000\"]\n            env:\n";
  for (int i = 0; text.size() < kSize; ++i) {
    text += "            - name: VARIABLE_" + std::to_string(i) +
            "\n              value: \"value " + std::to_string(number) + " of this variable\"\n";
  }
  return text;
}

double seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// Reads the events of `text` and drops them; whether it could.
bool read_events(const std::string& text) {
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) return false;
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                               text.size());
  bool sound = true;
  for (bool more = true; more;) {
    yaml_event_t event;
    sound = yaml_parser_parse(&parser, &event) != 0;
    more = sound && event.type != YAML_STREAM_END_EVENT;
    if (sound) yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return sound;
}

}  // namespace

int main() {
  std::vector<std::string> manifests;
  manifests.reserve(kManifests);
  for (std::size_t i = 0; i < kManifests; ++i) manifests.push_back(manifest(i));
  const admission::Settings settings;
  double events = 1e9;
  double checks = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = seconds();
    if (!std::ranges::all_of(manifests, read_events)) return 1;
    const double middle = seconds();
    for (const std::string& text : manifests) {
      const lint::Report report = lint::check(text, settings);
      if (report.jobs != 1 || !report.findings.empty()) return 1;
    }
    events = std::min(events, middle - begin);
    checks = std::min(checks, seconds() - middle);
  }
  const double ratio = checks / events;
  std::printf("events %.1f ms, lint %.1f ms: %.2f times\n", events * 1e3, checks * 1e3, ratio);
  return ratio <= kLimit ? 0 : 1;
}
