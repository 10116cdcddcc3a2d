"""Scenario 8: jobs with faults that were stored before the webhook came."""

from __future__ import annotations

import json

import jobs
from jobs import replica, tfjob
from kubectl import Kubectl
from registration import Registration

_FAULT = 'spec.tfReplicaSpecs[Worker].restartPolicy: "Sometimes" is no restart policy: '
_CHOICES = "use one of Always, OnFailure, Never, ExitCode"
_BAD = {"Worker": replica("Sometimes"), "PS": replica("Never")}


def _store(
    kubectl: Kubectl, registration: Registration, finalizers: list[str] | None = None
) -> None:
    job = tfjob("bad", _BAD)
    if finalizers:
        job["metadata"]["finalizers"] = finalizers
    with registration.removed():
        assert kubectl.create(job).ok().err == ""


def test_delete(kubectl: Kubectl, registration: Registration) -> None:
    _store(kubectl, registration)
    result = kubectl("delete", "tfjob", "bad").ok()
    assert result.out.startswith('tfjob.kubeflow.org "bad" deleted') and result.err == ""
    assert kubectl.names("tfjobs") == []


def test_delete_with_a_finalizer(kubectl: Kubectl, registration: Registration) -> None:
    _store(kubectl, registration, ["example.com/hold"])
    kubectl("delete", "tfjob", "bad", "--wait=false").ok()
    stored = kubectl.get("tfjob", "bad")
    assert stored["metadata"]["deletionTimestamp"]
    # What holds it writes once more, and lets it go.
    assert kubectl("label", "tfjob", "bad", "phase=cleaning").ok().err == ""
    assert set(jobs.tables(kubectl.get("tfjob", "bad")).values()) == {None}
    release = kubectl("patch", "tfjob/bad", "--type=merge", '-p={"metadata":{"finalizers":null}}')
    assert release.ok().err == ""
    assert kubectl.names("tfjobs") == []


def test_status_patches(kubectl: Kubectl, registration: Registration) -> None:
    _store(kubectl, registration)
    change = {"status": {"replicaStatuses": {"Worker": {"active": 1}}}}
    result = kubectl(
        *("patch", "tfjob/bad", "--subresource=status", "--type=merge", "-p", json.dumps(change))
    ).ok()
    assert (result.out, result.err) == ("tfjob.kubeflow.org/bad patched\n", "")
    stored = kubectl.get("tfjob", "bad")
    assert stored["status"] == change["status"]
    assert set(jobs.tables(stored).values()) == {None}


def test_an_update_that_does_not_touch_the_fault(
    kubectl: Kubectl, registration: Registration
) -> None:
    _store(kubectl, registration)
    result = kubectl("label", "tfjob", "bad", "team=vision").ok()
    assert result.warnings == [jobs.as_warning(_FAULT + _CHOICES)]
    stored = kubectl.get("tfjob", "bad")
    assert stored["metadata"]["labels"] == {"team": "vision"}
    assert jobs.tables(stored) == {"job": jobs.KUBEFLOW, "Worker": None, "PS": None}


def test_an_update_that_adds_a_fault(kubectl: Kubectl, registration: Registration) -> None:
    _store(kubectl, registration)
    before = kubectl.get("tfjob", "bad")
    change = {"spec": {"tfReplicaSpecs": {"PS": {"restartPolicy": "Rarely"}}}}
    result = kubectl("patch", "tfjob/bad", "--type=merge", "-p", json.dumps(change)).refused()
    new = f'spec.tfReplicaSpecs[PS].restartPolicy: "Rarely" is no restart policy: {_CHOICES}'
    denial = "\n".join(line for line in result.err.splitlines() if not line.startswith("Warning:"))
    assert new in denial
    # What was there already is no reason, but is told.
    assert _FAULT not in denial
    assert result.warnings == [jobs.as_warning(_FAULT + _CHOICES)]
    assert kubectl.get("tfjob", "bad") == before

    changed_fault = {"spec": {"tfReplicaSpecs": {"Worker": {"restartPolicy": "Seldom"}}}}
    kubectl("patch", "tfjob/bad", "--type=merge", "-p", json.dumps(changed_fault)).refused()


def test_an_update_that_mends_the_fault(kubectl: Kubectl, registration: Registration) -> None:
    _store(kubectl, registration)
    change = {"spec": {"tfReplicaSpecs": {"Worker": {"restartPolicy": "ExitCode"}}}}
    result = kubectl("patch", "tfjob/bad", "--type=merge", "-p", json.dumps(change)).ok()
    assert result.err == ""
    assert jobs.tables(kubectl.get("tfjob", "bad")) == {
        "job": jobs.KUBEFLOW,
        "Worker": jobs.KUBEFLOW,
        "PS": None,
    }
