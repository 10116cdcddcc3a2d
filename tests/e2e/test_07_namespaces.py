"""Scenario 7: generated names, dry runs, and what differs between namespaces."""

from __future__ import annotations

import re
from collections.abc import Callable

import audit
import jobs
from control_plane import ControlPlane
from kubectl import Kubectl

_OURS = re.compile(r"^(?:mutate|validate)-(?:create|update)\.exit-codes\.kubeflow\.org/")
_BAD = {"Worker": jobs.replica("Sometimes")}
_TOLD = (
    'spec.tfReplicaSpecs[Worker].restartPolicy: "Sometimes" is no restart policy: '
    "use one of Always, OnFailure, Never, ExitCode"
)


def _audited(plane: ControlPlane, kubectl: Kubectl, name: str) -> dict[str, str]:
    """Our audit annotations of the creation of a job."""
    found = audit.annotations_of(plane.audit_log, "create", kubectl.namespace, name)
    return {key: value for key, value in found.items() if _OURS.match(key)}


def _from_both(**values: str) -> dict[str, str]:
    return {
        f"{endpoint}-create.exit-codes.kubeflow.org/{key}": value
        for endpoint in ("mutate", "validate")
        for key, value in values.items()
    }


def test_generate_name(kubectl: Kubectl) -> None:
    job = jobs.tfjob("")
    job["metadata"] = {"generateName": "mnist-"}
    result = kubectl.create(job).ok()
    match = re.fullmatch(r"tfjob\.kubeflow\.org/(mnist-\w+) created\n", result.out)
    assert match and result.err == ""
    assert set(jobs.tables(kubectl.get("tfjob", match[1])).values()) == {jobs.KUBEFLOW}

    job["spec"]["tfReplicaSpecs"] = _BAD
    refused = kubectl.create(job).refused()
    assert _TOLD in refused.err
    assert re.search(r'"mnist-\w*" is invalid', refused.err)
    assert len(kubectl.names("tfjobs")) == 1


def test_server_side_dry_run(kubectl: Kubectl) -> None:
    result = kubectl.create(jobs.tfjob("mnist"), "--dry-run=server", "--output=json").ok()
    assert set(jobs.tables(result.json).values()) == {jobs.KUBEFLOW}
    bad = kubectl.create(jobs.tfjob("bad", _BAD), "--dry-run=server").refused()
    assert _TOLD in bad.err
    assert kubectl.names("tfjobs") == []


def test_a_namespace_with_a_profile_of_its_own(
    kubectl: Kubectl, new_namespace: Callable[[str], Kubectl], plane: ControlPlane
) -> None:
    own = new_namespace("own")
    assert own.create(jobs.tfjob("mnist")).ok().err == ""
    assert set(jobs.tables(own.get("tfjob", "mnist")).values()) == {jobs.OWN}
    assert _audited(plane, own, "mnist") == _from_both(outcome="allowed", profile="own")
    # The job's own word goes before the namespace's.
    own.create(jobs.tfjob("named", annotations={jobs.PREFIX + "profile": "kubeflow"})).ok()
    assert set(jobs.tables(own.get("tfjob", "named")).values()) == {jobs.KUBEFLOW}


def test_denials_are_audited(kubectl: Kubectl, plane: ControlPlane) -> None:
    kubectl.create(jobs.tfjob("bad", _BAD)).refused()
    found = audit.annotations_of(plane.audit_log, "create", kubectl.namespace, "bad")
    ours = {key: value for key, value in found.items() if _OURS.match(key)}
    assert ours == {
        "mutate-create.exit-codes.kubeflow.org/outcome": "denied",
        "mutate-create.exit-codes.kubeflow.org/rules": "invalid-restart-policy",
    }


def test_warn(
    kubectl: Kubectl, new_namespace: Callable[[str], Kubectl], plane: ControlPlane
) -> None:
    lenient = new_namespace("warn")
    result = lenient.create(jobs.tfjob("bad", _BAD)).ok()
    assert result.out == "tfjob.kubeflow.org/bad created\n"
    assert result.warnings == [jobs.as_warning(_TOLD)]
    assert jobs.tables(lenient.get("tfjob", "bad")) == {"job": jobs.KUBEFLOW, "Worker": None}
    assert _audited(plane, lenient, "bad") == _from_both(
        outcome="warned", rules="invalid-restart-policy", profile="kubeflow"
    )


def test_audit(
    kubectl: Kubectl, new_namespace: Callable[[str], Kubectl], plane: ControlPlane
) -> None:
    silent = new_namespace("audit")
    result = silent.create(jobs.tfjob("bad", _BAD)).ok()
    assert (result.out, result.err) == ("tfjob.kubeflow.org/bad created\n", "")
    assert jobs.tables(silent.get("tfjob", "bad")) == {"job": jobs.KUBEFLOW, "Worker": None}
    assert _audited(plane, silent, "bad") == _from_both(
        outcome="audited", rules="invalid-restart-policy", profile="kubeflow"
    )
