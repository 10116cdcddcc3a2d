"""Scenario 3: TFJob v1alpha1 to v1beta2, on a definition without a schema, as it was then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import jobs
import samples
from comparison import check_annotated_and_else_unchanged
from control_plane import install_crds, schemaless_crd, wait_for_crds
from kubectl import Kubectl
from process import wait_until

_OLD = ["v1alpha1", "v1alpha2", "v1beta1", "v1beta2"]
_NAME = "tfjobs.kubeflow.org"


@pytest.fixture
def old_cluster(kubectl: Kubectl, crds: Path) -> Iterator[Kubectl]:
    """The cluster serves TFJobs as old operators defined them; as before at the end."""

    def release_jobs() -> None:
        """Takes finalizers away, which would hold the definition."""
        for job in kubectl("get", "tfjobs", "--all-namespaces", "--output=json").json["items"]:
            metadata = job["metadata"]
            if "finalizers" in metadata:
                kubectl.inside(metadata["namespace"]).discard("tfjob", metadata["name"])

    def serve(versions: list[str]) -> None:
        def served() -> bool:
            text = kubectl("api-resources", "--cached=false", "--api-group=kubeflow.org").ok().out
            # Only the preferred version is listed.
            return f"kubeflow.org/{versions[-1]} " in " ".join(
                line for line in text.splitlines() if line.startswith("tfjobs ")
            )

        wait_until(f"TFJob {versions[-1]} is served", served)

    release_jobs()
    kubectl("delete", "crd", _NAME).ok()
    kubectl.apply(schemaless_crd("kubeflow.org", "TFJob", _OLD)).ok()
    try:
        wait_for_crds(kubectl)
        serve(_OLD)
        yield kubectl
    finally:
        release_jobs()
        kubectl("delete", "crd", _NAME).ok()
        install_crds(kubectl, crds)
        serve(["v1"])


def test_old_jobs_are_annotated_and_else_unchanged(
    old_cluster: Kubectl, new_namespace: Callable[[str], Kubectl]
) -> None:
    seen = set()
    for sample in samples.our_own():
        version = sample.job["apiVersion"].removeprefix("kubeflow.org/")
        if sample.job["kind"] != "TFJob" or version not in _OLD:
            continue
        try:
            check_annotated_and_else_unchanged(new_namespace("old"), sample)
        except AssertionError as error:
            raise AssertionError(f"{sample.label}: {error}") from error
        seen.add(version)
    assert seen == set(_OLD)


def test_old_jobs_with_faults_are_refused(old_cluster: Kubectl) -> None:
    old = jobs.tfjob("old", {"Worker": jobs.replica("Sometimes")})
    for version in _OLD[1:]:
        refused = old_cluster.create({**old, "apiVersion": f"kubeflow.org/{version}"}).refused()
        assert (
            'spec.tfReplicaSpecs[Worker].restartPolicy: "Sometimes" is no restart policy: '
            "use one of Always, OnFailure, Never, ExitCode\n"
        ) in refused.err, version

    master = jobs.replica(None)
    master["template"]["spec"]["restartPolicy"] = "ExitCode"
    oldest = {
        "apiVersion": "kubeflow.org/v1alpha1",
        "kind": "TFJob",
        "metadata": {"name": "old"},
        "spec": {"replicaSpecs": [{"tfReplicaType": "MASTER", **master}]},
    }
    assert (
        "spec.replicaSpecs[0].template.spec.restartPolicy: "
        '"ExitCode" is no restart policy of this version of TFJob: '
        "use one of Always, OnFailure, Never\n"
    ) in old_cluster.create(oldest).refused().err
    assert old_cluster.names("tfjobs") == []
