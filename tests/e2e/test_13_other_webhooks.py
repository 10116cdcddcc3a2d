"""Scenario 13: another mutating webhook, before ours and after it."""

from __future__ import annotations

import json

import audit
import jobs
from control_plane import ControlPlane
from kubectl import Kubectl, Object
from other_webhook import Patch, registered

_POLICY = "/spec/tfReplicaSpecs/Worker/restartPolicy"
_FAULT = (
    'spec.tfReplicaSpecs[Worker].restartPolicy: "Sometimes" is no restart policy: '
    "use one of Always, OnFailure, Never, ExitCode"
)
_OURS = "exit-codes.kubeflow.org"


def _set_policy(policy: str) -> Patch:
    return [{"op": "replace", "path": _POLICY, "value": policy}]


def _annotate(job: Object, key: str) -> Patch:
    if key in job["metadata"].get("annotations", {}):
        return []
    # Ours ran before, so that there are annotations.
    return [{"op": "add", "path": f"/metadata/annotations/{key}", "value": "yes"}]


def _audited(plane: ControlPlane, kubectl: Kubectl) -> dict[str, str]:
    return audit.annotations_of(plane.audit_log, "create", kubectl.namespace, "mnist")


def test_one_before_ours_that_mends_a_policy(kubectl: Kubectl, plane: ControlPlane) -> None:
    bad = jobs.tfjob("mnist", {"Worker": jobs.replica("Sometimes")})
    with registered(plane, kubectl, "a-mender", mend=lambda *_: _set_policy("ExitCode")):
        result = kubectl.create(bad).ok()
    assert (result.out, result.err) == ("tfjob.kubeflow.org/mnist created\n", "")
    stored = kubectl.get("tfjob", "mnist")
    assert stored["spec"]["tfReplicaSpecs"]["Worker"]["restartPolicy"] == "ExitCode"
    assert jobs.tables(stored) == {"job": jobs.KUBEFLOW, "Worker": jobs.KUBEFLOW}


def test_one_after_ours_that_breaks_a_policy(kubectl: Kubectl, plane: ControlPlane) -> None:
    """Ours is asked again, because the object changed, and refuses."""
    with registered(plane, kubectl, "z-breaker", breaker=lambda *_: _set_policy("Sometimes")):
        refused = kubectl.create(jobs.tfjob("mnist")).refused()
    assert _FAULT in refused.err
    assert kubectl.names("tfjobs") == []
    # Audit annotations of the first round stay; the second was no round of /validate.
    found = _audited(plane, kubectl)
    assert found[f"mutate-create.{_OURS}/outcome"] == "allowed"
    assert f"validate-create.{_OURS}/outcome" not in found


def test_one_that_breaks_a_policy_when_nobody_mutates_any_more(
    kubectl: Kubectl, plane: ControlPlane
) -> None:
    """After the second round no mutating webhook is asked again: /validate is what refuses."""

    def breaker(job: Object, call: int) -> Patch:
        return _annotate(job, "first") if call == 1 else _set_policy("Sometimes")

    # The second's annotation is why the first is asked again, behind ours.
    with registered(
        plane, kubectl, "z-breaker", breaker=breaker, other=lambda job, _: _annotate(job, "second")
    ) as calls:
        refused = kubectl.create(jobs.tfjob("mnist")).refused()
        assert calls["breaker"] == 2
    assert _FAULT in refused.err
    assert kubectl.names("tfjobs") == []
    found = _audited(plane, kubectl)
    assert found[f"mutate-create.{_OURS}/outcome"] == "allowed"
    assert found[f"validate-create.{_OURS}/outcome"] == "denied"


def test_one_after_ours_that_adds_an_annotation(kubectl: Kubectl, plane: ControlPlane) -> None:
    with registered(plane, kubectl, "z-adder", add=lambda job, _call: _annotate(job, "seen")):
        assert kubectl.create(jobs.tfjob("mnist")).ok().err == ""
    stored = kubectl.get("tfjob", "mnist")
    assert stored["metadata"]["annotations"] == {jobs.TABLE: jobs.KUBEFLOW, "seen": "yes"}
    assert jobs.tables(stored) == {"job": jobs.KUBEFLOW, "Worker": jobs.KUBEFLOW}
    rounds = {
        key.removeprefix("mutation.webhook.admission.k8s.io/").split("_index")[0]: json.loads(text)
        for key, text in _audited(plane, kubectl).items()
        if key.startswith("mutation.webhook") and f"mutate-create.{_OURS}" in text
    }
    assert {name: round["mutated"] for name, round in rounds.items()} == {
        "round_0": True,
        "round_1": False,
    }
