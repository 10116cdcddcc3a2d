"""Scenario 14: awkward names, large objects, and a job restored from another cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import binaries
import control_plane
import jobs
from kubectl import Kubectl, Object
from registration import Registration
from webhook import Webhook

_LIMIT = 262_144
_BOTH = {"job": jobs.KUBEFLOW, "Worker": jobs.KUBEFLOW}


def test_a_replica_type_with_characters_that_json_patches_and_go_escape(kubectl: Kubectl) -> None:
    name = "R&D <~1/~0>"
    result = kubectl.create(jobs.tfjob("odd", {name: jobs.replica("ExitCode")})).ok()
    assert result.warnings == [
        jobs.as_warning(
            f'spec.tfReplicaSpecs[{name}]: "{name}" is no replica type of TFJob: '
            "use Chief, Master, PS, Worker, Evaluator"
        )
    ]
    assert jobs.tables(kubectl.get("tfjob", "odd")) == {"job": jobs.KUBEFLOW, name: jobs.KUBEFLOW}

    bad = kubectl.create(jobs.tfjob("bad", {name: jobs.replica("exitcode")})).refused()
    assert f'spec.tfReplicaSpecs[{name}].restartPolicy: "exitcode" is no restart policy' in bad.err


def _with_annotations_of(size: int) -> Object:
    key = "example.com/filler"
    return jobs.tfjob("full", annotations={key: "x" * (size - len(key))})


def test_annotations_that_leave_just_enough_room(kubectl: Kubectl) -> None:
    room = _LIMIT - len(jobs.TABLE) - len(jobs.KUBEFLOW)
    assert kubectl.create(_with_annotations_of(room)).ok().err == ""
    stored = kubectl.get("tfjob", "full")
    assert jobs.tables(stored) == _BOTH
    sizes = (len(k) + len(v) for k, v in stored["metadata"]["annotations"].items())
    assert sum(sizes) == _LIMIT


@pytest.mark.parametrize("spare", [1, len(jobs.TABLE) + len(jobs.KUBEFLOW)])
def test_annotations_that_leave_no_room(kubectl: Kubectl, spare: int) -> None:
    room = _LIMIT - len(jobs.TABLE) - len(jobs.KUBEFLOW)
    result = kubectl.create(_with_annotations_of(room + spare)).ok()
    assert result.warnings == [
        jobs.as_warning(
            f"metadata.annotations[{jobs.TABLE}]: "
            "with it annotations would exceed 262144 bytes: shorten them"
        )
    ]
    # A template's are counted apart, and have room.
    stored = jobs.tables(kubectl.get("tfjob", "full"))
    assert stored == {"job": None, "Worker": jobs.KUBEFLOW}


def test_a_job_of_1_4_megabytes(kubectl: Kubectl) -> None:
    job = jobs.tfjob("large")
    container = job["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]
    container["args"] = ["--data=" + "0123456789" * 140_000]
    result = kubectl.create(job).ok()
    assert (result.out, result.err) == ("tfjob.kubeflow.org/large created\n", "")
    stored = kubectl.get("tfjob", "large")
    assert jobs.tables(stored) == _BOTH
    assert jobs.without_tables(stored)["spec"] == job["spec"]


@pytest.fixture
def elsewhere(
    programs: binaries.Binaries, crds: Path, scratch: Path, logs: dict[str, Path]
) -> Iterator[Kubectl]:
    """A second cluster, whose webhook has another default profile."""
    plane = control_plane.start(programs, scratch / "elsewhere")
    webhook = Webhook(scratch / "elsewhere-webhook", profile="signals")
    logs["webhook of the other cluster"] = webhook.log
    try:
        control_plane.install_crds(plane.kubectl, crds)
        webhook.start()
        Registration(plane, webhook).install()
        yield plane.kubectl
    finally:
        del logs["webhook of the other cluster"]
        webhook.stop()
        plane.stop()


def test_a_job_restored_from_another_cluster(kubectl: Kubectl, elsewhere: Kubectl) -> None:
    elsewhere.create(jobs.tfjob("moved")).ok()
    text = elsewhere("get", "tfjob", "moved", "--output=yaml").ok().out
    assert '"profile":"signals"' in text and '"profile":"kubeflow"' not in text
    # What a new cluster gives anew, and a new namespace.
    text = re.sub(r"(?m)^  (resourceVersion|uid|namespace|creationTimestamp): .*\n", "", text)
    result = kubectl.create(text).ok()
    assert (result.out, result.err) == ("tfjob.kubeflow.org/moved created\n", "")
    assert jobs.tables(kubectl.get("tfjob", "moved")) == _BOTH
