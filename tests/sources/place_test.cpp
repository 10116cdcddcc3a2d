#include "sources/place.h"

#include <string>
#include <string_view>

#include "tests/support/catch.h"

using sources::find_key_place;
using sources::find_place;

namespace {

constexpr std::string_view kText = R"(x: &spec
  restartPolicy: Never
apiVersion: kubeflow.org/v1
kind: TFJob
metadata:
  annotations: {"a.b/c": d, "e]\"": f, nothing: }
spec:
  tfReplicaSpecs:
    Worker: *spec
    PS:
      <<: *spec
      template:
    Chief:
      - a
      - b: c
)";

/// "LINE:COLUMN", with a "key" behind it where the key is meant.
std::string shown(const sources::Place& place) {
  return std::to_string(place.at.mark.line) + ":" + std::to_string(place.at.mark.column) +
         (place.is_key ? " key" : "");
}

}  // namespace

TEST_CASE("a field's place is that of its value", "[sources][place]") {
  const sources::Source source = sources::read_source(kText);
  const sources::Job& job = source.jobs.at(0);
  CHECK(shown(find_place(job, "object")) == "1:1");
  CHECK(shown(find_place(job, "spec")) == "8:3");
  CHECK(shown(find_place(job, "metadata.annotations[a.b/c]")) == "6:26");
  CHECK(shown(find_place(job, R"(metadata.annotations["e]\""])")) == "6:37");
  CHECK(shown(find_place(job, "spec.tfReplicaSpecs[Worker]")) == "9:13");
  CHECK(shown(find_place(job, "spec.tfReplicaSpecs[Chief][1].b")) == "15:12");
  CHECK(shown(find_key_place(job, "spec.tfReplicaSpecs[PS]")) == "10:5 key");
  CHECK(find_place(job, "kind").value->text() == "TFJob");
}

TEST_CASE("where nothing stands, the last key that is there is the place", "[sources][place]") {
  const sources::Source source = sources::read_source(kText);
  const sources::Job& job = source.jobs.at(0);
  CHECK(shown(find_place(job, "metadata.annotations[nothing]")) == "6:40 key");
  CHECK(shown(find_place(job, "metadata.annotations[other]")) == "6:3 key");
  CHECK(shown(find_place(job, "spec.tfReplicaSpecs[PS].template.spec.containers")) == "12:7 key");
  CHECK(shown(find_place(job, "spec.tfReplicaSpecs[Chief][2].b")) == "13:5 key");
  CHECK(shown(find_place(job, "status")) == "1:1");
  CHECK_FALSE(find_place(job, "status").value);
}

TEST_CASE("what an alias or a merge key brings is placed where it is written", "[sources][place]") {
  const sources::Source source = sources::read_source(kText);
  const sources::Job& job = source.jobs.at(0);
  const sources::Place aliased = find_place(job, "spec.tfReplicaSpecs[Worker].restartPolicy");
  CHECK(shown(aliased) == "2:18");
  CHECK(aliased.alias == yaml::Mark{9, 13});
  CHECK(shown(find_place(job, "spec.tfReplicaSpecs[PS].restartPolicy")) == "2:18");
}

TEST_CASE("a job within another object has a key of its own", "[sources][place]") {
  const sources::Source source =
      sources::read_source("a:\n  job: {apiVersion: kubeflow.org/v1, kind: TFJob, spec: }\n");
  CHECK(shown(find_place(source.jobs.at(0), "metadata")) == "2:3 key");
}
